// The second stage of a docking run, from sorted lists to the consensus.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "docking/refinement/consensus.hpp"
#include "docking/setup/prepare.hpp"
#include "engine/run_tiles.hpp"
#include "engine/tile_journal.hpp"
#include "kokkos_kernels/device/device.hpp"
#include "mpi/communicator.hpp"
#include "mpi/scheduling/node_tile_iterator.hpp"

namespace tessera::docking {

/// The arguments of a refinement on several ranks, beside its poses.
struct RefinementRun {
    TileFiles* journal = nullptr;  ///< journal of the same ranks; null: nothing is kept
    /// Called before the first tile on each rank of `able`, the ranks with a device. `resumed` is
    /// the number of tiles that an earlier attempt has done. If it is empty, the refinement shows
    /// no progress and cannot be stopped.
    std::function<TileLoopControl(const mpi::Communicator& able, mpi::NodeTileIterator& tiles,
                                  std::int64_t resumed)>
        watch;
    TileDeadline deadline = {};  ///< none by default
    /// Tells refinements of one run apart whose start poses may be the same; one line.
    std::string of = {};
};

/// Collective. Refines the root's `starts` in tiles of fixed size over all ranks. Returns the
/// refined poses in the same order on the root, and nothing on the other ranks. `refinement` is
/// null on ranks without a device, which may include the root. Throws SharedError (exit code 75) if
/// the run was stopped.
std::vector<kernels::RefinedPose> refine_poses(const mpi::Communicator& world,
                                               kernels::PoseRefinement* refinement,
                                               std::vector<kernels::RigidPose> starts,
                                               const RefinementRun& run = {});

/// The arguments of a refinement on one rank alone, beside its poses.
struct RefinementAlone {
    TileFiles* journal = nullptr;  ///< journal of this rank alone; null: nothing is kept
    const std::atomic<bool>* stop = nullptr;
    std::function<void(std::int64_t done, std::int64_t total)> after_tile;
};

/// Does the same on one rank alone. Throws Error if a tile fails, naming the tile, or with exit
/// code 75 if it was stopped.
std::vector<kernels::RefinedPose> refine_poses(kernels::PoseRefinement& refinement,
                                               const std::vector<kernels::RigidPose>& starts,
                                               const RefinementAlone& run = {});

/// The poses of the lists that are refined, before and after. On the root.
struct RefinedLists {
    std::vector<Candidate> candidates;
    std::vector<kernels::RefinedPose> refined;
};

/// Collective. Refines the best poses of the root's lists, on the devices that are left.
RefinedLists refine_lists(const mpi::Communicator& world, kernels::Backend backend,
                          const DockInput& input, const PreparedDocking& prepared,
                          const std::vector<PoseList>& lists, const RefinementRun& run = {});

/// Collective. Does the whole stage for the root's lists, on the devices that are left. Returns the
/// consensus on the root and nothing on the other ranks. For Dn the rings of the consensus are then
/// docked in pairs, and the consensus is that of the assemblies. Does nothing if no poses are to be
/// refined.
std::optional<Consensus> second_stage(const mpi::Communicator& world, kernels::Backend backend,
                                      const DockInput& input, const PreparedDocking& prepared,
                                      const std::vector<PoseList>& lists,
                                      const RefinementRun& run = {});

/// Does the same on one rank alone, but not for Dn. Throws TileFailure if the device fails before
/// the first pose is refined.
std::optional<Consensus> second_stage(kernels::Backend backend, const DockInput& input,
                                      const PreparedDocking& prepared,
                                      const std::vector<PoseList>& lists,
                                      const RefinementAlone& run = {});

}  // namespace tessera::docking
