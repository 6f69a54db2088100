// The density of a wavefunction as a sum of Hermite Gaussians, for its electrostatic potential.
#pragma once

#include <vector>

#include "io/wavefunctions/wavefunction.hpp"
#include "kokkos_kernels/orbitals/esp/potential_problem.hpp"

namespace tessera::orbitals {

/// Throws Error for a periodic wavefunction, which has no such potential.
void require_isolated(const io::Wavefunction& wavefunction);

/// The nuclei, and the products of all pairs of primitives in the density sum_o weights[o] psi_o^2.
/// Electrons are negative. Products that together change the potential nowhere by more than
/// `tolerance` (hartree/e) are left out, and so are high degrees of others; 0: none that is not
/// zero. One weight for each orbital of the file. Throws Error for a periodic wavefunction.
kernels::PotentialProblem potential_problem(const io::Wavefunction& wavefunction,
                                            const std::vector<double>& weights, double tolerance);

}  // namespace tessera::orbitals
