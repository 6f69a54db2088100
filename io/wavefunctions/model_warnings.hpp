// Warnings about calculations that do not describe an isolated molecule with all its electrons.
// Each warning is a line in the frame's warnings.
#pragma once

#include <string>
#include <vector>

#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::io {

/// `where` names the place in the file: "section [cell]". The frame becomes periodic. The warning
/// says whether it has a lattice.
void warn_of_cell(Wavefunction& frame, const std::string& where);
/// Makes one molecule of a frame with a lattice, and says so in its warning.
void isolate(Wavefunction& frame);
void warn_of_pseudopotentials(Wavefunction& frame, const std::string& where);

/// The atomic number of the element that a symbol names, such as "Au"; 0 if there is none.
int atomic_number(const std::string& symbol);

/// Warns of pseudopotentials if a nucleus has less charge than the element that its symbol names
/// ("Au", "C12"). Files have such charges if a pseudopotential replaces the core. Ghosts (charge 0)
/// are exempt.
void warn_of_core_charges(Wavefunction& frame);

/// The same for formats that give both the charges and the atomic numbers; the nuclei have the
/// latter.
void warn_of_core_charges(Wavefunction& frame, const std::vector<double>& charges);

}  // namespace tessera::io
