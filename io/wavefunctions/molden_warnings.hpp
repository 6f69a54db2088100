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

/// Warns if the partial charges of a section [Charge], which OpenMolcas writes, leave more
/// electrons to the molecule than its orbitals hold. OpenMolcas tells of a pseudopotential in no
/// other way. The frame must have its nuclei and orbitals.
void warn_of_missing_electrons(const TextSource& source, std::span<const MoldenSection> sections,
                               Wavefunction& frame);

}  // namespace tessera::io
