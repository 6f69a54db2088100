// The orbitals of a Molden file: sections [MO].
#pragma once

#include <span>

#include "io/wavefunctions/molden_sections.hpp"
#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::io {

/// Adds the orbitals of all sections [MO] to a frame, which must have its basis. Throws Error that
/// names file and line.
void read_molden_orbitals(const TextSource& source, std::span<const MoldenSection> sections,
                          Wavefunction& frame);

}  // namespace tessera::io
