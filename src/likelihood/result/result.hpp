// A likelihood run's answer, and its place in the output file (docs/reference/hdf5.md).
#pragma once

#include <string>
#include <vector>

#include "io/hdf5/h5.hpp"
#include "likelihood/model/evaluation.hpp"
#include "likelihood/model/input.hpp"

namespace tessera::likelihood {

/// What a result file says of one wedge.
struct WedgeResult {
    int wedge = 0;
    std::string parameters, stars;  ///< the files' names
    std::int64_t number_of_stars = 0;
    std::int64_t stars_outside = 0;  ///< those of them that lie outside the wedge
    Evaluation evaluation;
    std::vector<std::string> warnings;
};

/// Of all wedges, in the order asked for; not empty.
struct LikelihoodResult {
    std::vector<WedgeResult> wedges;
    std::int64_t number_of_stars() const;
    /// Sum over all stars of log10 of their density.
    double log10_density_sum() const;
    /// Mean over all stars: of one wedge its own search likelihood.
    double search_likelihood() const;
};

/// Checks the evaluations (one a wedge) and puts them beside their wedges. Throws Error (exit code
/// 3) for one that is not finite.
LikelihoodResult make_likelihood_result(const LikelihoodInput& input,
                                        const std::vector<WedgeInput>& wedges,
                                        std::vector<Evaluation> evaluations);

/// /likelihood, and of several wedges /likelihood/1, /likelihood/2 ...
void write_likelihood_result(io::h5::Group root, const LikelihoodResult& result,
                             const std::vector<WedgeInput>& wedges);
/// Without the stars.
LikelihoodResult read_likelihood_result(const io::h5::Group& root);

/// All numbers with 17 digits, a line each.
std::string report_text(const LikelihoodResult& result);

}  // namespace tessera::likelihood
