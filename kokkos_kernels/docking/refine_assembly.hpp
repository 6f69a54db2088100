// The refinement of dihedral assemblies.
#pragma once

#include <memory>

#include "kokkos_kernels/docking/refine.hpp"

namespace tessera::kernels {

/// A refinement of assemblies (assembly_pose.hpp) of the problem's ring. refine() takes two poses
/// for each assembly, the next and the opposite copy, and returns two: the first has the energies
/// and terms of the assembly, the second the opposite copy alone. The energy that is minimised is
/// that of all pairs of copies. All six degrees of freedom of a copy move, and the axes stay.
std::unique_ptr<PoseRefinement> make_assembly_refinement(Backend backend,
                                                         const RefineProblem& problem);

}  // namespace tessera::kernels
