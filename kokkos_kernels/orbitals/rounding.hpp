// Whether single precision carries an orbital's sum. Plain host code.
#pragma once

#include "kokkos_kernels/orbitals/orbital_problem.hpp"

namespace tessera::kernels {

/// False where the parts of some orbital's groups cancel so far that rounding each of them to single
/// precision would cost more than about 1e-6 of the largest |psi|, or 1e-6 bohr^-3/2: high virtual
/// orbitals of Cartesian bases, say, or the 1s functions of heavy atoms. Such problems are worth
/// double arithmetic even where single values are asked for.
bool single_precision_suffices(const OrbitalProblem& problem);

}  // namespace tessera::kernels
