// Makes the result of a docking from its sorted poses.
#pragma once

#include <optional>
#include <vector>

#include "docking/refinement/consensus.hpp"
#include "docking/result/dock_result.hpp"
#include "docking/setup/dock_input.hpp"
#include "docking/setup/prepare.hpp"

namespace tessera::docking {

/// The poses of a docking when the device has done its work.
struct SortedPoses {
    std::vector<PoseList> lists;
    std::optional<Consensus> consensus;  ///< result of the second stage, if there is one
};

/// Replaces the clusters of all lists and, with a reference, the qualities of their poses.
void cluster_and_judge(const DockInput& input, const PreparedDocking& prepared, DockResult& result);

/// Both partners with the residues that were left out.
Partners whole_partners(const PreparedDocking& prepared);

/// Adds rotations, clusters and, with a reference, qualities to the sorted lists. Works on the host
/// alone. The bits are the same for any number of threads.
DockResult finish_result(const DockInput& input, const PreparedDocking& prepared,
                         SortedPoses sorted);

}  // namespace tessera::docking
