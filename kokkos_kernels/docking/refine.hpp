// Off-grid refinement of docked poses: rigid-body minimisation of a smooth energy, one pose a block.
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

    /// Moves every pose downhill, at most as far as the parameters allow. A pose's result does not
    /// depend on the others: the same bits however many are given at once.
    virtual std::vector<RefinedPose> refine(std::span<const RigidPose> poses) = 0;

    /// Energy and forces of poses as they are.
    virtual std::vector<PoseForces> forces(std::span<const RigidPose> poses) = 0;
};

/// Throws Error for partners without atoms, types beyond the table or parameters out of order.
std::unique_ptr<PoseRefinement> make_pose_refinement(Backend backend, const RefineProblem& problem);

}  // namespace tessera::kernels
