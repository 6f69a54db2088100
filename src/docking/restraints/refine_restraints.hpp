// Restraints as the refinement takes them.
#pragma once

#include "docking/restraints/distance_restraints.hpp"
#include "kokkos_kernels/docking/refine_problem.hpp"

namespace tessera::docking {

/// Lets the refinement pull poses into the bounds of all restraints, with `pull` as the weight of
/// each. The bounds are widened by half the tolerance only: the pull fades at them, and a pose that
/// comes close still satisfies its restraints.
void add_restraints(kernels::RefineProblem& problem, const DistanceRestraints& restraints,
                    double pull);

}  // namespace tessera::docking
