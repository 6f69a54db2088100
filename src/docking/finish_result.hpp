// From ranked poses to a docking run's answer.
#pragma once

#include <optional>
#include <vector>

#include "docking/consensus.hpp"
#include "docking/dock_input.hpp"
#include "docking/dock_result.hpp"
#include "docking/prepare.hpp"

namespace tessera::docking {

/// What the device has left of a pair.
struct RankedPoses {
    std::vector<PoseList> lists;
    std::optional<Consensus> consensus;  ///< of the second stage, where there is one
};

/// Makes the clusters of all lists and, with a reference, their qualities, instead of those that are there.
void cluster_and_judge(const DockInput& input, const PreparedDocking& prepared, DockResult& result);

/// Adds rotations, clusters and, with a reference, qualities to the ranked lists. Work of the host
/// alone; the same bits for any number of threads.
DockResult finish_result(const DockInput& input, const PreparedDocking& prepared,
                         RankedPoses ranked);

}  // namespace tessera::docking
