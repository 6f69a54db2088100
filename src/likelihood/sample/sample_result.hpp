// The result of a sampling, and its place in the output file (docs/reference/hdf5.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/hdf5/h5.hpp"
#include "io/text/value_table.hpp"
#include "likelihood/sample/diagnostics.hpp"
#include "likelihood/sample/hill_summary.hpp"
#include "likelihood/sample/sample_problem.hpp"

namespace tessera::likelihood {

/// Values are in the units of the parameters, in the order of the free parameters.
struct SampleResult {
    std::string method;  ///< nuts or ensemble
    std::int64_t chains = 0, warmup = 0, draws = 0;
    std::vector<FreeParameter> free;
    std::vector<std::string> priors;  ///< in words
    std::vector<FixedParameter> fixed;
    std::vector<double> top;  ///< the most probable model that the climb found
    std::vector<Summary> summaries;
    std::int64_t wedges = 1, number_of_stars = 0;  ///< a file of one wedge does not have them
    std::int64_t evaluations = 0, gradient_evaluations = 0;
    std::int64_t diverging = 0;               ///< draws whose trajectory diverged
    double acceptance = 0;                    ///< mean acceptance of all draws
    std::int64_t tried_jumps = 0, jumps = 0;  ///< to another hill, before draws
    HillsSummary hills;                       ///< if several are known
    bool converged = false;  ///< whether the diagnostics of all parameters and hills are good
};

/// The draws of all chains.
struct SampleDraws {
    std::vector<Chains> parameters;    ///< of each free parameter
    Chains log_posterior, likelihood;  ///< likelihood: the search likelihood
};

/// What Vehtari et al. (2021) ask for.
inline constexpr double largest_r_hat = 1.01, smallest_ess = 400;
/// Whether R-hat and both sizes of a parameter are as they ask.
inline bool is_good(const Summary& one) {
    return one.r_hat < largest_r_hat && one.bulk_ess > smallest_ess && one.tail_ess > smallest_ess;
}

/// Angles that go round, and streams that may be exchanged, are those of the equivalent model
/// nearest to the top. So such an angle may lie up to half a turn outside its bounds.
SampleDraws make_draws(const Samples& samples, const SampleProblem& problem);
SampleResult make_sample_result(const Samples& samples, const SampleDraws& draws,
                                const SampleProblem& problem);

/// Writes the groups /sample, /posterior and /sample_stats.
void write_sample(io::h5::Group root, const SampleResult& result, const SampleDraws& draws,
                  const Samples& samples, const SamplePlan& plan);
/// Reads the group /sample.
SampleResult read_sample_result(const io::h5::Group& root);
/// Reads the draws of a result that read_sample_result() has read.
SampleDraws read_sample_draws(const io::h5::Group& root, const SampleResult& result);

/// One line for each parameter, and the state of the chains.
std::string report_text(const SampleResult& result);
/// A row for each parameter, at most `most`.
io::ValueTable sample_table(SampleResult result, std::int64_t most);
/// A row for each draw, at most `most`.
io::ValueTable draw_table(const io::h5::Group& root, std::int64_t most);
/// The same numbers as JSON.
std::string to_json(const SampleResult& result);

}  // namespace tessera::likelihood
