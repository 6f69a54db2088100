// The request for a plan of any workload, and the device that it plans for.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "kokkos_kernels/device/device.hpp"
#include "plan/job_plan.hpp"

namespace tessera::plan {

struct PlanRequest {
    kernels::DeviceRequest device;
    std::string for_device;            ///< a GPU of the table; empty: the device of this machine
    double gpu_fraction = 1;           ///< part of the memory of a GPU of the table
    double memory_gib = 0;             ///< upper limit of device memory; 0: most of the free memory
    std::string output;                ///< where the run would write; empty: unknown
    double program_start_seconds = 0;  ///< from the start of the process to the plan
};

/// The device of this rank, started if this machine has it. A device that cannot start is a result
/// of the plan, not an error.
struct PlannedDevice {
    std::unique_ptr<kernels::DeviceRuntime> runtime;  ///< null for a device of the table
    bool is_here() const { return runtime != nullptr; }
};

/// Describes the device of `request` in `rank`. If it cannot start, why_not says why.
PlannedDevice start_device(const PlanRequest& request, RankPlan& rank);

/// The device of several plans. It can start only once in a process.
class SharedDevice {
  public:
    /// As start_device(). Later calls describe the same device.
    const PlannedDevice& start(const PlanRequest& request, RankPlan& rank) {
        if (!started_) {
            device_ = start_device(request, rank_);
            started_ = true;
        }
        const std::string precision = rank.precision;
        rank = rank_;
        rank.precision = precision;
        return device_;
    }

  private:
    bool started_ = false;
    RankPlan rank_;
    PlannedDevice device_;
};

/// Runs `work` and returns the seconds it took.
template <class Work>
double seconds_of(Work&& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace tessera::plan
