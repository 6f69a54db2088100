// How long evaluations of a stream model take on a device, and in which precision. This is the
// "application planning function" of the 2009 MilkyWay@Home paper.
#pragma once

#include <cstdint>
#include <span>

#include "kokkos_kernels/likelihood/exact/likelihood_problem.hpp"
#include "likelihood/model/model_values.hpp"
#include "plan/device_description.hpp"

namespace tessera::plan {

/// The quantities that decide the time of an evaluation.
struct EvaluationSize {
    double points = 0;  ///< quadrature nodes of all areas
    double stars = 0, star_nodes = 0;
    int streams = 0, disks = 0;
};

EvaluationSize evaluation_size(const likelihood::StreamModel& model, std::size_t stars);

/// Floating-point operations for one point of the exact integration. A multiply-add counts as one.
double point_operations(const EvaluationSize& size);

/// Seconds of one exact evaluation, without its tables.
double exact_seconds(const DeviceDescription& device, const EvaluationSize& size,
                     kernels::Precision precision);

/// Seconds of the compressed integration, always in double: the set-up, one evaluation, one of many
/// that are computed at once, and one with its gradient.
struct CompressedSeconds {
    double set_up = 0, value = 0, value_of_many = 0, gradient = 0;
};
CompressedSeconds compressed_seconds(const DeviceDescription& device, const EvaluationSize& size);

struct EvaluationChoice {
    DeviceDescription device;
    kernels::Precision precision = kernels::Precision::double_precision;
    double exact_seconds = 0;  ///< one evaluation on that device in that precision
    CompressedSeconds compressed;
};

/// The fastest choice among `devices` (at least one) whose relative error stays below
/// `wanted_error`. FP32 with compensated sums is a choice if `wanted_error` is at least 2e-8.
EvaluationChoice choose_evaluation(std::span<const DeviceDescription> devices,
                                   const EvaluationSize& size, double wanted_error);

}  // namespace tessera::plan
