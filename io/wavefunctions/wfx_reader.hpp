// WFX files (T. A. Keith, AIMAll): orbitals over single primitives (docs/reference/wavefunctions.md).
#pragma once

#include "io/text/text_scanner.hpp"
#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::io {

/// True where the text begins with <Title> or has <Number of Nuclei> among its first lines.
bool is_wfx(const TextSource& source);

/// Primitives of one nucleus, exponent and angular momentum become a Cartesian shell of one primitive;
/// up to h. Throws Error naming file and line.
Wavefunction read_wfx(const TextSource& source);

}  // namespace tessera::io
