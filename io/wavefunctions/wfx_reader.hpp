// WFX files (T. A. Keith, AIMAll). Their orbitals are over single primitives
// (docs/reference/wavefunctions.md).
#pragma once

#include "io/text/text_scanner.hpp"
#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::io {

/// True if the text begins with <Title> or has <Number of Nuclei> among its first lines.
bool is_wfx(const TextSource& source);

/// Primitives with the same nucleus, exponent and angular momentum become one Cartesian shell, up
/// to h. Throws Error that names file and line.
Wavefunction read_wfx(const TextSource& source);

}  // namespace tessera::io
