// /docking/consensus of the output file (docs/reference/hdf5.md).
#pragma once

#include <string>
#include <vector>

#include "docking/refinement/consensus.hpp"
#include "io/hdf5/h5.hpp"

namespace tessera::docking {

/// The group's name, and that of the list where sets are chosen by name.
inline constexpr const char* consensus_name = "consensus";

/// Writes the group `consensus` under `docking`.
void write_consensus(io::h5::Group& docking, const Consensus& consensus);

/// Weights, scores, poses and terms of such a group (clusters and quality stay empty), where the search
/// had so many sets and at most so many ranks in each. Throws Error for parts that do not fit together.
Consensus read_consensus(const io::h5::Group& docking, std::int64_t sets, std::int64_t ranks);

}  // namespace tessera::docking
