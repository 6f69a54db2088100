// From sorted poses to a docking run's answer.
#pragma once

#include <optional>
#include <vector>

#include "docking/refinement/consensus.hpp"
#include "docking/result/dock_result.hpp"
#include "docking/setup/dock_input.hpp"
#include "docking/setup/prepare.hpp"

namespace tessera::docking {

/// What the device has left of a pair.
struct SortedPoses {
    std::vector<PoseList> lists;
    std::optional<Consensus> consensus;  ///< of the second stage, where there is one
};

/// Makes the clusters of all lists and, with a reference, their qualities, instead of those that are there.
void cluster_and_judge(const DockInput& input, const PreparedDocking& prepared, DockResult& result);

/// Adds rotations, clusters and, with a reference, qualities to the sorted lists. Work of the host
/// alone; the same bits for any number of threads.
DockResult finish_result(const DockInput& input, const PreparedDocking& prepared,
                         SortedPoses sorted);

}  // namespace tessera::docking
