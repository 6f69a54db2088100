// What a docking found, as JSON.
#pragma once

#include <string>

#include "docking/result/dock_summary.hpp"

namespace tessera::docking {

/// The grid, the hashes of the files, and for each list its weights, number of poses and best
/// score. The poses themselves are in the table (pose_table.hpp).
std::string to_json(const DockSummary& summary);

}  // namespace tessera::docking
