// Molden files (Schaftenaar & Noordik 2000; docs/reference/wavefunctions.md).
#pragma once

#include <vector>

#include "io/text/text_scanner.hpp"
#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::io {

/// True if one of the first lines is a section [Molden Format], [Atoms] or [GTO].
bool is_molden(const TextSource& source);

/// Reads every frame of the text. A frame starts at [Molden Format] or at a second [Atoms]. Throws
/// Error that names file and line.
std::vector<Wavefunction> read_molden(const TextSource& source);

}  // namespace tessera::io
