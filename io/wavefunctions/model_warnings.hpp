// What a file tells of the calculation behind it that an isolated molecule with all its electrons
// is not: a line each among the warnings of the frame.
#pragma once

#include <string>
#include <vector>

#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::io {

/// `where` in the file that is said: "section [cell]".
void warn_of_cell(Wavefunction& frame, const std::string& where);
void warn_of_pseudopotentials(Wavefunction& frame, const std::string& where);

/// The latter, where a nucleus has less charge than the element that its symbol ("Au", "C12") names:
/// what files have where a pseudopotential stands for the core. Ghosts (charge 0) have none to lack.
void warn_of_core_charges(Wavefunction& frame);

/// The same for formats that give the charges beside the atomic numbers, which the nuclei have.
void warn_of_core_charges(Wavefunction& frame, const std::vector<double>& charges);

}  // namespace tessera::io
