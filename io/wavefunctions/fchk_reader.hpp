// Formatted checkpoint files of Gaussian and other programs (docs/reference/wavefunctions.md).
#pragma once

#include "io/text/text_scanner.hpp"
#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::io {

/// True if one of the first lines is the entry "Number of atoms".
bool is_fchk(const TextSource& source);

/// Throws Error that names file and line. Cartesian functions are reordered to Molden's order. Beta
/// orbitals, if the file has them, follow the alpha ones.
Wavefunction read_fchk(const TextSource& source);

}  // namespace tessera::io
