// Formatted checkpoint files of Gaussian and other programs (docs/reference/wavefunctions.md).
#pragma once

#include "io/text/text_scanner.hpp"
#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::io {

/// True if one of the first lines is the entry "Number of atoms".
bool is_fchk(const TextSource& source);

/// Throws Error that names file and line. Cartesian functions are reordered to Molden's order. Beta
/// orbitals, if the file has them, follow the alpha ones. The density "MP2" is "Total MP2 Density",
/// in any case, and the transition "2" the second state of "G to E trans densities".
Wavefunction read_fchk(const TextSource& source, const WantedMatrices& wanted = {});

}  // namespace tessera::io
