// The second stage of a docking run, from ranked lists to the consensus.
#pragma once

#include <optional>
#include <vector>

#include "docking/consensus.hpp"
#include "docking/prepare.hpp"
#include "kokkos_kernels/device.hpp"
#include "mpi/communicator.hpp"
#include "run_tiles.hpp"

namespace tessera::docking {

/// Collective. Refines the root's `starts` in tiles of fixed size over all ranks; on the root the
/// refined poses in the same order, whatever the number of ranks, empty elsewhere. Throws SharedError
/// (exit code 75) where `control` stopped the run.
std::vector<kernels::RefinedPose> refine_poses(const mpi::Communicator& world,
                                               kernels::PoseRefinement& refinement,
                                               std::vector<kernels::RigidPose> starts,
                                               const TileLoopControl& control = {});

/// The same on one rank alone, without any other. Throws Error naming the tile that fails.
std::vector<kernels::RefinedPose> refine_poses(kernels::PoseRefinement& refinement,
                                               const std::vector<kernels::RigidPose>& starts);

/// The search's rotations as files hold them, w >= 0.
std::vector<Quaternion> positive_rotations(const RotationSet& rotations);

/// What the contacts of each refined pose weigh.
std::vector<double> contact_energies(const PreparedDocking& prepared,
                                     const std::vector<kernels::RefinedPose>& refined);

/// Fills in the qualities of all poses where there is a reference.
void judge(Consensus& consensus, const PreparedDocking& prepared);

/// Consensus of refined candidates, judged by the reference where there is one.
Consensus judged_consensus(const DockInput& input, const PreparedDocking& prepared,
                           const std::vector<Candidate>& candidates,
                           const std::vector<kernels::RefinedPose>& refined);

/// Collective. The whole stage on the root's lists: the consensus on the root, none elsewhere. For
/// input.refine = 0 none anywhere, and nothing is done.
std::optional<Consensus> second_stage(const mpi::Communicator& world, kernels::Backend backend,
                                      const DockInput& input, const PreparedDocking& prepared,
                                      const std::vector<PoseList>& lists,
                                      const TileLoopControl& control = {});

/// The same on one rank alone. Throws TileFailure where the device fails before the first pose is refined.
std::optional<Consensus> second_stage(kernels::Backend backend, const DockInput& input,
                                      const PreparedDocking& prepared,
                                      const std::vector<PoseList>& lists);

}  // namespace tessera::docking
