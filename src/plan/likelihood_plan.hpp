// Plans of tessera likelihood, tessera fit and tessera sample.
#pragma once

#include <cstdint>
#include <functional>

#include "io/streams/fit_settings.hpp"
#include "likelihood/fit/fit_course.hpp"
#include "likelihood/fit/maximise.hpp"
#include "likelihood/model/input.hpp"
#include "likelihood/sample/sample_problem.hpp"
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

/// Starts the device of this rank and notes in `rank` how evaluations with `free` parameters are
/// done there. Returns the seconds that they take: measured if this machine has the device.
CompressedSeconds time_evaluations(const likelihood::LikelihoodInput& input,
                                   const likelihood::WedgeInput& wedge, std::size_t free,
                                   const PlanRequest& request, RankPlan& rank);

/// Reads the files as the command does, and samples evaluations if this machine has the device.
LocalPlan plan_likelihood(const likelihood::LikelihoodInput& input, const PlanRequest& request);

/// Expected number of evaluations of a fit. Real fits differ from it by half and more.
struct FitEvaluations {
    double values = 0, gradients = 0;
};
FitEvaluations expected_evaluations(const likelihood::MaximisePlan& plan, std::size_t free);
/// The same for the check of the errors, the profiles and the bootstrap after the maximum.
FitEvaluations error_evaluations(const likelihood::ErrorPlan& errors, std::size_t free);

/// `settings_of` returns those of a parameter file and of the command line.
LocalPlan plan_fit(const likelihood::LikelihoodInput& input,
                   const std::function<io::FitSettings(const io::TextSource&)>& settings_of,
                   const PlanRequest& request);

/// Expected number of evaluations of a sampling: of the climb to the top, of the scouts that look
/// for other hills, and of the draws.
struct SampleEvaluations {
    FitEvaluations start, scouts, draws;

    double gradients() const { return start.gradients + scouts.gradients + draws.gradients; }
};
/// `axes`: streams whose direction is free, for which scouts climb.
SampleEvaluations expected_evaluations(const likelihood::SamplePlan& plan, std::size_t free,
                                       std::size_t axes = 0);

/// Bytes of the memory of rank 0 that the draws take, and of the files that a sampling writes.
struct SampleBytes {
    double memory = 0;
    double result = 0;
    double journal = 0;  ///< beside the result until the sampling ends
};
SampleBytes expected_bytes(const likelihood::SamplePlan& plan, std::size_t free,
                           std::size_t axes = 0);

LocalPlan plan_sample(const likelihood::LikelihoodInput& input,
                      const likelihood::SampleChoices& choices, const PlanRequest& request);

}  // namespace tessera::plan
