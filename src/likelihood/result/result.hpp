// The result of a likelihood run, and its place in the output file (docs/reference/hdf5.md).
#pragma once

#include <string>
#include <vector>

#include "io/hdf5/h5.hpp"
#include "likelihood/model/evaluation.hpp"
#include "likelihood/model/input.hpp"

namespace tessera::likelihood {

/// The result of one wedge.
struct WedgeResult {
    int wedge = 0;
    std::string parameters, stars;  ///< names of the files
    std::int64_t number_of_stars = 0;
    std::int64_t stars_outside = 0;  ///< number of these stars that lie outside the wedge
    Evaluation evaluation;
    std::vector<std::string> warnings;
    /// Number of stars that each component is expected to have, background first: the sums of the
    /// memberships. Empty if the run did not ask for them.
    std::vector<double> expected_stars = {};
};

/// The results of all wedges in the order of the command line. There is at least one.
struct LikelihoodResult {
    std::vector<WedgeResult> wedges;
    std::int64_t number_of_stars() const;
    /// Sum over all stars of log10 of their density.
    double log10_density_sum() const;
    /// Mean over all stars. For one wedge this is its search likelihood.
    double search_likelihood() const;
};

/// Checks the evaluations, one for each wedge, and combines them with their wedges. Throws Error
/// (exit code 3) if an evaluation is not finite.
LikelihoodResult make_likelihood_result(const LikelihoodInput& input,
                                        const std::vector<WedgeInput>& wedges,
                                        std::vector<Evaluation> evaluations);

/// Writes /likelihood, and for several wedges /likelihood/1, /likelihood/2 ...
void write_likelihood_result(io::h5::Group root, const LikelihoodResult& result,
                             const std::vector<WedgeInput>& wedges);
/// Reads the result without the stars.
LikelihoodResult read_likelihood_result(const io::h5::Group& root);

/// All numbers with 17 digits, one on each line.
std::string report_text(const LikelihoodResult& result);

/// The same numbers as JSON.
std::string to_json(const LikelihoodResult& result);

}  // namespace tessera::likelihood
