// The consensus after the side chains of its best poses are repacked.
#pragma once

#include <vector>

#include "docking/refinement/consensus.hpp"
#include "docking/setup/prepare.hpp"
#include "kokkos_kernels/device/device.hpp"

namespace tessera::docking {

/// Ranks the poses again after the first changes.size() of them have changed. To the score of each
/// the weighted sum of its changes is added (RescoringWeights::repacked of the consensus), less the
/// median of these sums. Qualities stay with their poses.
void apply_changes(Consensus& consensus, const std::vector<RepackedChange>& changes);

/// The scores and the order before a repacking. Qualities are dropped.
void undo_repacking(Consensus& consensus);

/// Repacks the first input.consensus.repack poses, ranks all again, and makes new clusters.
void repack_best(kernels::Backend backend, const DockInput& input, const PreparedDocking& prepared,
                 Consensus& consensus);

/// Does the same where poses are to be repacked. If the device is lost, the host does it.
Consensus repacked_consensus(kernels::Backend backend, const DockInput& input,
                             const PreparedDocking& prepared, Consensus consensus);

}  // namespace tessera::docking
