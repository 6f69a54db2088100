// From ranked poses to a docking run's answer.
#pragma once

#include <vector>

#include "docking/dock_input.hpp"
#include "docking/dock_result.hpp"
#include "docking/prepare.hpp"

namespace tessera::docking {

/// Adds rotations, clusters and, with a reference, qualities to the ranked lists. Work of the host
/// alone; the same bits for any number of threads.
DockResult finish_result(const DockInput& input, const PreparedDocking& prepared,
                         std::vector<PoseList> lists);

}  // namespace tessera::docking
