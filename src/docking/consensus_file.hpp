// /docking/consensus of the output file (docs/hdf5.md).
#pragma once

#include <string>
#include <vector>

#include "docking/consensus.hpp"
#include "io/h5.hpp"

namespace tessera::docking {

/// The group's name, and that of the list where sets are chosen by name.
inline constexpr const char* consensus_name = "consensus";

/// Writes the group `consensus` under `docking`.
void write_consensus(io::h5::Group& docking, const Consensus& consensus);

/// Weights, scores, poses and terms of such a group (clusters and quality stay empty). Throws Error for parts
/// that do not fit together.
Consensus read_consensus(const io::h5::Group& docking);

}  // namespace tessera::docking
