// Which device and precision an evaluation should use, and how long it will take: the application
// planning function of the 2009 paper's volunteer project, for this workload.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "kokkos_kernels/device.hpp"
#include "kokkos_kernels/likelihood/likelihood_problem.hpp"
#include "likelihood/model_values.hpp"

namespace tessera::likelihood {

/// A whole GPU, or all cores of a host. Rates are peaks, a fused multiply-add as two operations.
struct DeviceRates {
    kernels::Backend backend = kernels::Backend::openmp;
    std::string name;
    double fp64_flops = 0, fp32_flops = 0;
};

/// Rates of a device in use. GPUs by name from a table (nullopt for one it does not hold); hosts as
/// cores times the rates of a core with 256-bit vectors at 3 GHz.
std::optional<DeviceRates> known_rates(const kernels::DeviceInfo& device);

/// What an evaluation's time depends on.
struct EvaluationSize {
    double points = 0;  ///< nodes of all areas' columns
    double stars = 0, star_nodes = 0;
    int streams = 0;
    bool disk = false;
};

EvaluationSize evaluation_size(const StreamModel& model, std::size_t stars);

struct PlanEstimate {
    DeviceRates device;
    kernels::Precision precision = kernels::Precision::double_precision;
    double exact_seconds = 0;       ///< of one evaluation, on that device, in that precision
    double compressed_seconds = 0;  ///< of one evaluation after set-up; always in double
};

/// Seconds of one exact evaluation.
double exact_seconds(const DeviceRates& device, const EvaluationSize& size,
                     kernels::Precision precision);
double compressed_seconds(const DeviceRates& device, const EvaluationSize& size);

/// The fastest choice among `devices` (at least one) whose relative error stays below `wanted_error`:
/// FP32 with compensated sums is allowed from 2e-8 on.
PlanEstimate plan_evaluation(std::span<const DeviceRates> devices, const EvaluationSize& size,
                             double wanted_error);

}  // namespace tessera::likelihood
