// Warnings about sections of a Molden file that do not describe an isolated molecule with all its
// electrons.
#pragma once

#include <span>

#include "io/wavefunctions/molden_sections.hpp"
#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::io {

/// Reads [Cell], and warns of it and of [Pseudo], [Nval] and [Core] among the sections of a frame,
/// and of nuclear charges below those of the elements. The frame must have its nuclei.
void warn_of_model(const TextSource& source, std::span<const MoldenSection> sections,
                   Wavefunction& frame);

}  // namespace tessera::io
