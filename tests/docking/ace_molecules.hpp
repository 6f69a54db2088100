// Molecules with the atom types of the built-in potentials.
#pragma once

#include <string>
#include <vector>

#include "docking/model/molecule.hpp"

namespace tessera::docking {

/// The 18 types of Zhang et al. 1997, in the order of the rows of the built-in tables.
inline const std::vector<std::string> ace_type_names{"N",   "CA",  "C",   "O",   "GCA", "CB",
                                                     "KNZ", "KCD", "DOD", "RNH", "NND", "RNE",
                                                     "SOG", "HNE", "YCZ", "FCZ", "LCD", "CSG"};

inline Molecule make_ace_molecule(const io::Structure& structure,
                                  std::vector<std::string>& warnings) {
    return make_molecule(structure, warnings, ace_type_names);
}

}  // namespace tessera::docking
