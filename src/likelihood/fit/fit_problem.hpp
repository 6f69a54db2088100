// The problem of a fit. Without MPI, so that a process alone can use it.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/streams/fit_settings.hpp"
#include "kokkos_kernels/device/device.hpp"
#include "likelihood/fit/fit_course.hpp"
#include "likelihood/fit/fit_plan.hpp"
#include "likelihood/fit/maximise.hpp"
#include "likelihood/fit/stream_space.hpp"
#include "likelihood/model/input.hpp"

namespace tessera::likelihood {

/// The models and stars to fit and the settings, the same on every rank.
struct FitProblem {
    std::vector<WedgeInput> wedges;  ///< one or more
    std::unique_ptr<StreamSpace> space;
    MaximisePlan plan;
    ErrorPlan errors;
    io::FitSettings settings;  ///< with all defaults

    const WedgeInput& wedge() const { return wedges.front(); }
    std::vector<std::size_t> stars_of_wedges() const;
    std::size_t number_of_stars() const;  ///< of all wedges
};

/// `settings_of` returns the settings of the fit from the text of a parameter file. The first file
/// decides how to search, and joint_parameters() what is free. Throws Error if no parameter is
/// free.
FitProblem
read_fit_problem(const LikelihoodInput& input,
                 const std::function<io::FitSettings(const io::TextSource&)>& settings_of);

/// Does the same for wedges that have been read.
FitProblem
make_fit_problem(const LikelihoodInput& input, std::vector<WedgeInput> wedges,
                 const std::function<io::FitSettings(const io::TextSource&)>& settings_of);

/// Input and settings as JSON for /run.
std::string to_json(const LikelihoodInput& input, const FitProblem& problem);

/// SHA-256 of everything that decides the result.
std::string hash_of(const LikelihoodInput& input, const FitProblem& problem);

/// The likelihoods of the wedges on the device of this rank. The memory of an evaluator is kept if
/// the device is lost (kept_if_lost).
WedgeEvaluators make_evaluators(const LikelihoodInput& input, const FitProblem& problem,
                                kernels::Backend backend);

/// The likelihoods of other stars, those of each wedge, in the same wedges.
WedgeEvaluators make_evaluators(const LikelihoodInput& input, const FitProblem& problem,
                                std::span<const std::vector<Star>> stars, kernels::Backend backend);

/// Throws Error if the search has found no finite point. `parameters` is the file.
void require_maximum(const Maximum& maximum, const std::string& parameters);

}  // namespace tessera::likelihood
