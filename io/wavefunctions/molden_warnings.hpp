// Sections of a Molden file that say that it is no isolated molecule with all its electrons.
#pragma once

#include <span>

#include "io/wavefunctions/molden_sections.hpp"
#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::io {

/// Warns of [Cell], [Pseudo], [Nval] and [Core] among the sections of a frame, and of charges of
/// nuclei below their elements'. The frame has its nuclei.
void warn_of_what_is_left_out(const TextSource& source, std::span<const MoldenSection> sections,
                              Wavefunction& frame);

}  // namespace tessera::io
