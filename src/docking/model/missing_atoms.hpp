// Structures without the atoms that the energy is made of: traces of C-alpha atoms, bare backbones.
#pragma once

#include <string>
#include <vector>

#include "io/proteins/structure.hpp"

namespace tessera::docking {

/// One line where more than a tenth of the residues of the twenty usual kinds lack an atom of the
/// backbone (N, CA, C, O), or their side chain, wholly or beyond CB; none otherwise.
std::vector<std::string> missing_atom_warnings(const io::Structure& structure);

}  // namespace tessera::docking
