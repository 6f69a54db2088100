// The refinement of poses that stay parts of a ring.
#pragma once

#include <memory>

#include "kokkos_kernels/docking/refine.hpp"

namespace tessera::kernels {

/// As make_pose_refinement() for a problem with a ring, which that function has checked.
std::unique_ptr<PoseRefinement> make_ring_refinement(Backend backend, const RefineProblem& problem);

}  // namespace tessera::kernels
