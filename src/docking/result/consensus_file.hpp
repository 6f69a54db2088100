// The group /docking/consensus of the output file (docs/reference/hdf5.md).
#pragma once

#include <string>
#include <vector>

#include "docking/refinement/consensus.hpp"
#include "io/hdf5/h5.hpp"

namespace tessera::docking {

/// The name of the group. Where a user chooses a set by name, it means the consensus.
inline constexpr const char* consensus_name = "consensus";

/// Writes the group `consensus` under `docking`. `copies` are those of the Evaluation, if any.
/// `has_restraints`: also writes the energies of the distance restraints.
void write_consensus(io::h5::Group& docking, const Consensus& consensus,
                     const std::vector<std::string>& copies = {}, bool has_restraints = false);

/// Which table the weights of this group `consensus` are. Older files do not say it.
WeightsTable read_weights_table(const io::h5::Group& consensus);

/// Reads weights, scores, poses and terms. Clusters and quality stay empty. The search had `sets`
/// sets with at most `places` poses each. Throws Error if parts of the group do not fit together.
Consensus read_consensus(const io::h5::Group& docking, std::int64_t sets, std::int64_t places);

}  // namespace tessera::docking
