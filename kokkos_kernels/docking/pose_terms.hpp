// The terms of a refined pose whose atoms are given one by one, on the host.
#pragma once

#include <array>
#include <vector>

#include "kokkos_kernels/docking/refine_problem.hpp"

namespace tessera::kernels {

/// The unweighted terms of atoms in one frame, as the refinement reports them
/// (docs/method/docking-refinement.md, "Terms"). `problem` gives types, energies and parameters,
/// not the atoms. All pairs are looked at, so give the atoms near the interface only.
std::array<double, refine_term_count> pose_terms(const RefineProblem& problem,
                                                 const std::vector<RefineAtom>& receptor,
                                                 const std::vector<RefineAtom>& ligand);

/// The distance in Angstrom beyond which a pair of atoms has no terms.
double pose_terms_cutoff(const RefineProblem& problem);

}  // namespace tessera::kernels
