// How long evaluations of the likelihood and fits take.
#pragma once

#include <cstdint>

#include "io/streams/fit_settings.hpp"
#include "likelihood/fit/maximise.hpp"
#include "likelihood/model/input.hpp"
#include "plan/likelihood_model.hpp"
#include "plan/plan_request.hpp"

namespace tessera::plan {

/// What pieces of the exact integration took on the device that is here.
struct ExactSample {
    double table_seconds = 0;  ///< once a wedge
    double point_seconds = 0;
    double star_seconds = 0;
};
ExactSample sample_exact(const kernels::DeviceInfo& device, const likelihood::WedgeInput& wedge,
                         const likelihood::EvaluatorOptions& options);

/// What evaluations of the compressed kind took there, made with at most a few thousand stars and taken
/// to all of them.
struct CompressedSample {
    double cold_seconds = 0;  ///< what the first one takes longer
    CompressedSeconds seconds;
    std::vector<int> missed;  ///< components that would be integrated point by point
};
CompressedSample sample_compressed(const kernels::DeviceInfo& device,
                                   const likelihood::WedgeInput& wedge,
                                   const likelihood::EvaluatorOptions& options, bool gradients);

/// Reads the files as the command does, samples where the device is here.
LocalPlan plan_likelihood(const likelihood::LikelihoodInput& input, const PlanRequest& request);

/// How many evaluations a fit may be expected to make; fits differ by half and more.
struct FitEvaluations {
    double values = 0, gradients = 0;
};
FitEvaluations expected_evaluations(const likelihood::MaximisePlan& plan, std::size_t free);

/// `settings` as read and typed.
LocalPlan plan_fit(const likelihood::LikelihoodInput& input, const io::FitSettings& settings,
                   const PlanRequest& request);

}  // namespace tessera::plan
