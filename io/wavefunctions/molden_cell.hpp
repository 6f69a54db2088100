// The cell of a periodic system in a Molden file, as CP2K, tblite and Multiwfn have it.
#pragma once

#include <span>

#include "io/wavefunctions/molden_sections.hpp"
#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::io {

/// Reads [Cell], if the sections have it: three vectors, one a line, in bohr (AU) or Angstrom
/// (Angs). Throws Error if the unit or a number is missing, or if they span no cell.
void read_molden_cell(const TextSource& source, std::span<const MoldenSection> sections,
                      Wavefunction& frame);

}  // namespace tessera::io
