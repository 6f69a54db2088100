// The problem of a sampling. Without MPI.
#pragma once

#include <string>
#include <vector>

#include "io/streams/prior_settings.hpp"
#include "likelihood/fit/fit_choices.hpp"
#include "likelihood/fit/fit_problem.hpp"
#include "likelihood/sample/posterior.hpp"
#include "likelihood/sample/sampling.hpp"

namespace tessera::likelihood {

/// What a user may choose beside the parameter file.
struct SampleChoices {
    std::vector<std::string> free;   ///< names of the parameters to sample; empty: as the file says
    std::vector<std::string> fix;    ///< names of parameters that keep the values of the file
    std::vector<std::string> share;  ///< names of parameters that all wedges share
    std::string fit;                 ///< result of a fit, whose best model is the start; or empty
    int chains = 0;                  ///< 0: the default
    SamplePlan plan;                 ///< all but the chains and the noise
};

/// The models, the stars, the priors and the plan, the same on every rank.
struct SampleProblem {
    FitProblem fit;                        ///< its space; how a fit would search does not matter
    std::vector<io::PriorSetting> priors;  ///< of the free parameters
    SamplePlan plan;

    Posterior posterior() const;
    /// The model to start from, in the cube.
    Point start() const;
};

/// Throws Error if no parameter is free, a prior cannot be used, the model to start from lies
/// outside the priors, or a choice is out of range.
SampleProblem read_sample_problem(const LikelihoodInput& input, const SampleChoices& choices);

/// A line for a warning about options that change nothing in this sampling, or an empty text.
std::string unused_options(const SamplePlan& plan);

/// "nuts" or "ensemble".
std::string name_of(Sampler sampler);

/// Input, plan and priors as JSON for /run.
std::string to_json(const LikelihoodInput& input, const SampleProblem& problem);

/// SHA-256 of everything that decides the result.
std::string hash_of(const LikelihoodInput& input, const SampleProblem& problem);

}  // namespace tessera::likelihood
