// The second stage of a docking run, from sorted lists to the consensus.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "docking/refinement/consensus.hpp"
#include "docking/setup/prepare.hpp"
#include "engine/run_tiles.hpp"
#include "engine/tile_journal.hpp"
#include "kokkos_kernels/device/device.hpp"
#include "mpi/communicator.hpp"
#include "mpi/scheduling/node_tile_iterator.hpp"

namespace tessera::docking {

/// What a refinement on several ranks is given beside its poses.
struct RefinementRun {
    TileFiles* journal = nullptr;  ///< of the same ranks; null: nothing is kept
    /// Asked before the first tile, on each rank of `able`, those that have a device. `resumed`: tiles that
    /// an earlier attempt has done. Empty: no progress, no stop.
    std::function<TileLoopControl(const mpi::Communicator& able, mpi::NodeTileIterator& tiles,
                                  std::int64_t resumed)>
        watch;
    TileDeadline deadline;  ///< off
};

/// Collective. Refines the root's `starts` in tiles of fixed size over all ranks; on the root the
/// refined poses in the same order, whatever the number of ranks, empty elsewhere. `refinement`: null on
/// ranks without a device, be it the root. Throws SharedError (exit code 75) where the run was stopped.
std::vector<kernels::RefinedPose> refine_poses(const mpi::Communicator& world,
                                               kernels::PoseRefinement* refinement,
                                               std::vector<kernels::RigidPose> starts,
                                               const RefinementRun& run = {});

/// What a refinement on one rank alone is given.
struct RefinementAlone {
    TileFiles* journal = nullptr;  ///< of this rank alone; null: nothing is kept
    const std::atomic<bool>* stop = nullptr;
    std::function<void(std::int64_t done, std::int64_t total)> after_tile;
};

/// The same on one rank alone, without any other. Throws Error: naming the tile that fails, or with exit
/// code 75 where it was stopped.
std::vector<kernels::RefinedPose> refine_poses(kernels::PoseRefinement& refinement,
                                               const std::vector<kernels::RigidPose>& starts,
                                               const RefinementAlone& run = {});

/// Collective. The whole stage on the root's lists, on the devices that are left: the consensus on the root,
/// none elsewhere. For input.refine = 0 none anywhere, and nothing is done.
std::optional<Consensus> second_stage(const mpi::Communicator& world, kernels::Backend backend,
                                      const DockInput& input, const PreparedDocking& prepared,
                                      const std::vector<PoseList>& lists,
                                      const RefinementRun& run = {});

/// The same on one rank alone. Throws TileFailure where the device fails before the first pose is refined.
std::optional<Consensus> second_stage(kernels::Backend backend, const DockInput& input,
                                      const PreparedDocking& prepared,
                                      const std::vector<PoseList>& lists,
                                      const RefinementAlone& run = {});

}  // namespace tessera::docking
