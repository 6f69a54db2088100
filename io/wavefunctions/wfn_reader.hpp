// WFN files (AIMPAC; written by Gaussian, GAMESS, ORCA and others). Their orbitals are over single
// primitives and have no spins (docs/reference/wavefunctions.md).
#pragma once

#include "io/text/text_scanner.hpp"
#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::io {

/// True if the first or second line that is not blank gives the numbers of orbitals, primitives and
/// nuclei.
bool is_wfn(const TextSource& source);

/// As read_wfx(). If no occupation exceeds 1, the beta orbitals begin where the numbers or energies
/// start again; a warning says so. Throws Error that names file and line.
Wavefunction read_wfn(const TextSource& source);

}  // namespace tessera::io
