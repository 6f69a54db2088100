// Warnings about structures that lack atoms, such as C-alpha traces and bare backbones.
#pragma once

#include <string>
#include <vector>

#include "io/proteins/structure.hpp"

namespace tessera::docking {

/// One line if many residues of the twenty usual kinds lack a part: more than a tenth lack an atom
/// of the backbone (N, CA, C, O), or the side chain, wholly or beyond CB. Otherwise none.
std::vector<std::string> missing_atom_warnings(const io::Structure& structure);

}  // namespace tessera::docking
