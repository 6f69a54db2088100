// Plans of tessera likelihood and tessera fit.
#pragma once

#include <cstdint>

#include "io/streams/fit_settings.hpp"
#include "likelihood/fit/fit_course.hpp"
#include "likelihood/fit/maximise.hpp"
#include "likelihood/model/input.hpp"
#include "plan/likelihood_model.hpp"
#include "plan/plan_request.hpp"

namespace tessera::plan {

/// Times of pieces of the exact integration on the device of this rank.
struct ExactSample {
    double table_seconds = 0;  ///< once for each wedge
    double point_seconds = 0;
    double star_seconds = 0;
};
ExactSample sample_exact(const kernels::DeviceInfo& device, const likelihood::WedgeInput& wedge,
                         const likelihood::EvaluatorOptions& options);

/// Times of compressed evaluations on that device. They are measured with at most a few thousand
/// stars on a host, or 100,000 on a GPU, and scaled to all stars.
struct CompressedSample {
    double cold_seconds = 0;  ///< extra time of the first evaluation
    CompressedSeconds seconds;
    std::vector<int> missed;  ///< components that miss the tolerance and are summed point by point
};
CompressedSample sample_compressed(const kernels::DeviceInfo& device,
                                   const likelihood::WedgeInput& wedge,
                                   const likelihood::EvaluatorOptions& options, bool gradients);

/// Reads the files as the command does, and samples evaluations if this machine has the device.
LocalPlan plan_likelihood(const likelihood::LikelihoodInput& input, const PlanRequest& request);

/// Expected number of evaluations of a fit. Real fits differ from it by half and more.
struct FitEvaluations {
    double values = 0, gradients = 0;
};
FitEvaluations expected_evaluations(const likelihood::MaximisePlan& plan, std::size_t free);
/// The same for the check of the errors, the profiles and the bootstrap after the maximum.
FitEvaluations error_evaluations(const likelihood::ErrorPlan& errors, std::size_t free);

/// `settings`: from the parameter file and the command line.
LocalPlan plan_fit(const likelihood::LikelihoodInput& input, const io::FitSettings& settings,
                   const PlanRequest& request);

}  // namespace tessera::plan
