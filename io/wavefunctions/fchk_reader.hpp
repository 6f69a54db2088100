// Formatted checkpoint files of Gaussian, which other programs write too (docs/reference/wavefunctions.md).
#pragma once

#include "io/text/text_scanner.hpp"
#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::io {

/// True where one of the first lines is the entry "Number of atoms".
bool is_fchk(const TextSource& source);

/// Throws Error naming file and line. Cartesian functions are brought into Molden's order; beta
/// orbitals, where the file has them, follow the alpha ones.
Wavefunction read_fchk(const TextSource& source);

}  // namespace tessera::io
