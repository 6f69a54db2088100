// The group /docking/restraints of the output file (docs/reference/hdf5.md).
#pragma once

#include "docking/result/dock_result.hpp"

namespace tessera::docking {

/// The name of the group.
inline constexpr const char* restraints_name = "restraints";

StoredRestraints stored_restraints(const DistanceRestraints& restraints, double weight);

/// Writes the group `restraints` under `docking`: the restraints, and the number and fraction that
/// each pose of the lists and of the consensus satisfies.
void write_restraints(io::h5::Group& docking, const DockResult& result);

/// Reads the groups of restraints alone; none if the run had no restraints.
std::vector<RestraintGroup> read_restraint_groups(const io::h5::Group& docking);

/// Reads the group, if it exists, into the result, whose lists and consensus have been read. Throws
/// Error if parts of it do not fit together.
void read_restraints(const io::h5::Group& docking, DockResult& result);

}  // namespace tessera::docking
