// Finds the orbitals that single precision cannot represent well. This is plain host code.
#pragma once

#include <vector>

#include "kokkos_kernels/orbitals/orbital_problem.hpp"

namespace tessera::kernels {

/// The orbitals (rows of the problem, ascending) whose parts cancel strongly. For them, rounding
/// each part to single precision would cost more than about 1e-6 of the largest |psi|, or more than
/// 1e-6 bohr^-3/2. Examples are high virtual orbitals of Cartesian bases, and the 1s functions of
/// heavy atoms. They deserve double arithmetic even if single values are requested. Each orbital is
/// judged by itself.
std::vector<int> rows_for_double(const OrbitalProblem& problem);

}  // namespace tessera::kernels
