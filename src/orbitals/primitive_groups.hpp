// From shells and coefficients to the polynomials that kernels evaluate.
#pragma once

#include <vector>

#include "io/wavefunction.hpp"
#include "kokkos_kernels/orbitals/orbital_problem.hpp"

namespace tessera::orbitals {

/// Groups of (atom, exponent) sorted by element and exponent, and the folded coefficients of the chosen
/// orbitals (indices into wavefunction.orbitals): contraction, radial and angular normalisation
/// (docs/orbitals.md) and the transformation from spherical functions, all in double.
void fold_orbitals(const io::Wavefunction& wavefunction, const std::vector<int>& orbitals,
                   kernels::OrbitalProblem& problem);

/// Overlap matrix of the basis functions, row-major, analytic (Obara & Saika 1986).
std::vector<double> overlap_matrix(const io::Wavefunction& wavefunction);

/// Largest |C^T S C - 1| on the diagonal over the orbitals: 0 for files that follow the rules.
double worst_norm_error(const io::Wavefunction& wavefunction);

}  // namespace tessera::orbitals
