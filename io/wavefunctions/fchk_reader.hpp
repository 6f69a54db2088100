// Formatted checkpoint files of Gaussian and other programs (docs/reference/wavefunctions.md).
#pragma once

#include "io/text/text_scanner.hpp"
#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::io {

/// True if one of the first lines is the entry "Number of atoms".
bool is_fchk(const TextSource& source);

/// Throws Error that names file and line. Cartesian functions are reordered to Molden's order. Beta
/// orbitals, if the file has them, follow the alpha ones. `density`: of "Total MP2 Density" it is
/// "MP2", in any case; without it no density matrix is read.
Wavefunction read_fchk(const TextSource& source, const std::string& density = "");

}  // namespace tessera::io
