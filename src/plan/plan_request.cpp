#include "plan/plan_request.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "core/error.hpp"
#include "core/host_name.hpp"
#include "kokkos_kernels/device/memory_budget.hpp"

namespace tessera::plan {

namespace {

// Start of an idle CUDA device in a run on an H200 (docs/method/benchmarks.md).
constexpr double gpu_start_seconds = 0.1;

}  // namespace

PlannedDevice start_device(const PlanRequest& request, RankPlan& rank) {
    rank.host = host_name();
    PlannedDevice planned;
    if (!request.for_device.empty()) {
        rank.device = require_known_gpu(request.for_device);
        rank.device.free_bytes = kernels::gpu_share(
            rank.device.free_bytes, rank.device.memory_bytes, 1, request.gpu_fraction);
        rank.start_seconds = gpu_start_seconds;
        return planned;
    }
    try {
        rank.start_basis = Basis::measured;
        rank.start_seconds = seconds_of(
            [&] { planned.runtime = std::make_unique<kernels::DeviceRuntime>(request.device); });
        rank.device = describe(planned.runtime->info());
    } catch (const Error& error) {
        if (error.code() != ExitCode::resources) throw;
        rank.why_not = error.what();
        rank.device.name = "no device '" + request.device.device + "'";
    }
    return planned;
}

}  // namespace tessera::plan
