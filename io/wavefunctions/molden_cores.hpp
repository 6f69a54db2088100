// The core electrons that pseudopotentials replace, from the sections of a Molden file.
#pragma once

#include <span>

#include "io/wavefunctions/molden_sections.hpp"
#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::io {

/// Sets the cores of the nuclei. The sections are [Core] ("Pt: 60", or "2 : 60" as PySCF 2.14
/// writes it, the electrons that are replaced), and [Pseudo] ("Pt 3 18") and [Nval] ("Pt 18"),
/// with the electrons that remain. A later one of these three has precedence. Where
/// [Atoms] gives the remaining charge of a known element, the nucleus gets its atomic number. Warns
/// of the first line of a section that fits no nucleus.
void read_molden_cores(const TextSource& source, std::span<const MoldenSection> sections,
                       Wavefunction& frame);

}  // namespace tessera::io
