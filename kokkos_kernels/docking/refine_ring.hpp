// The refinement of poses that stay parts of a ring.
#pragma once

#include <memory>

#include "kokkos_kernels/docking/refine.hpp"

namespace tessera::kernels {

/// As make_pose_refinement() for a problem with a ring, which that function has checked.
std::unique_ptr<PoseRefinement> make_ring_refinement(Backend backend, const RefineProblem& problem);

/// The same under distance restraints, which the problem must have. A source file of its own, so
/// that the kernels of rings without restraints keep their code.
std::unique_ptr<PoseRefinement> make_restrained_ring_refinement(Backend backend,
                                                                const RefineProblem& problem);

}  // namespace tessera::kernels
