// Refinement of poses under distance restraints.
#pragma once

#include <memory>

#include "kokkos_kernels/docking/refine.hpp"

namespace tessera::kernels {

/// The problem must have restraints and has been checked (make_pose_refinement). A source file of
/// its own keeps the compiled code of the plain refinement, and so its last bits, as they are.
std::unique_ptr<PoseRefinement> make_restrained_refinement(Backend backend,
                                                           const RefineProblem& problem);

}  // namespace tessera::kernels
