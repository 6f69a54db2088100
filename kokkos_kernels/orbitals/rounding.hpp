// Where single precision carries an orbital's sum, and where not. Plain host code.
#pragma once

#include <vector>

#include "kokkos_kernels/orbitals/orbital_problem.hpp"

namespace tessera::kernels {

/// The orbitals (rows of the problem, ascending) whose groups' parts cancel so far that rounding each
/// of them to single precision would cost more than about 1e-6 of the largest |psi|, or 1e-6 bohr^-3/2:
/// high virtual orbitals of Cartesian bases, say, or the 1s functions of heavy atoms. They are worth double
/// arithmetic even where single values are asked for. Each is judged by itself.
std::vector<int> rows_for_double(const OrbitalProblem& problem);

}  // namespace tessera::kernels
