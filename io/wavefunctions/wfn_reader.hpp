// WFN files (AIMPAC; written by Gaussian, GAMESS, ORCA and others): orbitals over single
// primitives, spins not marked (docs/reference/wavefunctions.md).
#pragma once

#include "io/text/text_scanner.hpp"
#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::io {

/// True where the first or second line that is not blank counts orbitals, primitives and nuclei.
bool is_wfn(const TextSource& source);

/// As read_wfx(). Where no occupation exceeds 1, the beta orbitals are those from the place on where numbers or
/// energies begin anew; a warning tells it. Throws Error naming file and line.
Wavefunction read_wfn(const TextSource& source);

}  // namespace tessera::io
