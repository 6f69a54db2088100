// What a plan is asked for, whatever the workload.
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
    std::string for_device;            ///< a GPU of the table; empty: the device that is here
    double memory_gib = 0;             ///< of the device at most; 0: most of what is free
    std::string output;                ///< where the run would write; empty: not said
    double program_start_seconds = 0;  ///< what it took this process to come here
};

/// The rank's device, started where it is here. What hinders that is the plan's answer, not an error.
struct PlannedDevice {
    std::unique_ptr<kernels::DeviceRuntime> runtime;  ///< none for a device of the table
    bool is_here() const { return runtime != nullptr; }
};

/// Describes the device of `request` in `rank`, with why_not where it cannot start.
PlannedDevice start_device(const PlanRequest& request, RankPlan& rank);

/// Runs `work` and returns the seconds it took.
template <class Work>
double seconds_of(Work&& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace tessera::plan
