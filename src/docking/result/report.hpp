// What a user reads on the terminal when a docking run ends.
#pragma once

#include <string>

#include "docking/result/dock_result.hpp"

namespace tessera::docking {

/// Ligand interface C-alpha RMSD below which a pose counts as near-native, Angstrom.
inline constexpr double near_native = 10.0;

/// A table of the best `rows` poses of every set: score, terms, cluster, and with a reference the RMSDs,
/// fnat, DockQ and CAPRI class; then a line a set on the first near-native pose and cluster.
std::string report_table(const DockResult& result, std::size_t rows);

}  // namespace tessera::docking
