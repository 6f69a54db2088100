// What a result says about the hills of a posterior.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/hdf5/h5.hpp"
#include "likelihood/sample/sample_problem.hpp"

namespace tessera::likelihood {

struct HillSummary {
    std::vector<double> top;  ///< its most probable model, in the units of the parameters
    double log_density = 0;   ///< there, below the highest of all, over the unbounded coordinates
    double weight = 0;        ///< share of the draws
    double weight_error = 0;  ///< standard error; NaN if chains did not change between hills
    double r_hat = 0;         ///< of the share; NaN likewise
};

struct HillsSummary {
    std::vector<HillSummary> hills;  ///< empty if only one is known
    std::int64_t changes = 0;        ///< draws on another hill than the draw before

    bool known() const { return !hills.empty(); }
    /// Whether all chains agree on the weights.
    bool agreed() const;
};

HillsSummary summarise_hills(const Samples& samples, const Posterior& posterior);

/// The group /sample/hills, if there is more than one.
void write_hills(io::h5::Group& sample, const HillsSummary& summary);
HillsSummary read_hills(const io::h5::Group& sample, std::uint64_t parameters);

/// A line for each hill, and one about changes between them. `names` and `scales` (standard
/// deviations) are those of the parameters. Empty if there is one hill.
std::string hills_text(const HillsSummary& summary, const std::vector<std::string>& names,
                       const std::vector<double>& scales);
/// An array of hills.
std::string hills_json(const HillsSummary& summary);

}  // namespace tessera::likelihood
