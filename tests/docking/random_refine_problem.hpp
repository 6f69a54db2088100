// Two random partners as the refinement sees them.
#pragma once

#include "docking/refinement/refinement.hpp"
#include "synthetic_molecules.hpp"

namespace tessera::docking::testing {

/// 300 and 150 atoms of 18 types in balls of 12 and 8 A, without a pair potential.
inline kernels::RefineProblem random_refine_problem() {
    PairPotential potential;
    potential.type_names.resize(18);
    potential.matrix.assign(18 * 18, 0);
    return make_refine_problem(random_molecule(300, 12, {1, 2, 3}, 1),
                               random_molecule(150, 8, {0, 0, 0}, 2), {}, {}, potential);
}

}  // namespace tessera::docking::testing
