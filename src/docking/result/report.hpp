// The report that a docking run prints at its end.
#pragma once

#include <string>

#include "docking/result/dock_result.hpp"

namespace tessera::docking {

/// A pose is near-native if its ligand interface C-alpha RMSD is below this, Angstrom.
inline constexpr double near_native = 10.0;

/// A table of the best `rows` poses of every set: score, terms, cluster, and with a reference the
/// RMSDs, fnat, DockQ and CAPRI class. With a reference, a line for each set and for
/// the consensus follows about the first near-native pose and cluster.
std::string report_table(const DockResult& result, std::size_t rows);

}  // namespace tessera::docking
