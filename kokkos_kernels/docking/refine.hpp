// Off-grid refinement of docked poses. A block minimises a smooth energy of one pose as a rigid
// body.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "kokkos_kernels/device/device.hpp"
#include "kokkos_kernels/docking/refine_problem.hpp"

namespace tessera::kernels {

class PoseRefinement {
  public:
    virtual ~PoseRefinement() = default;

    /// Moves every pose downhill, at most as far as the parameters allow. A pose's result has the
    /// same bits whichever other poses are given with it. With RefineProblem::ring, energies are
    /// those of two neighbours, and terms those of the ring for each pair of neighbours.
    virtual std::vector<RefinedPose> refine(std::span<const RigidPose> poses) = 0;

    /// Energy and forces of poses that do not move.
    virtual std::vector<PoseForces> forces(std::span<const RigidPose> poses) = 0;
};

/// Throws Error if a partner has no atoms, a type is not in the table, or the parameters are out of
/// order.
std::unique_ptr<PoseRefinement> make_pose_refinement(Backend backend, const RefineProblem& problem);

}  // namespace tessera::kernels
