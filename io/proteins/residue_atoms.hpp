// Turns the atom sites of a residue into heavy atoms of a structure.
#pragma once

#include <string>
#include <vector>

#include "io/proteins/residue_grouping.hpp"
#include "io/proteins/residue_names.hpp"
#include "io/proteins/structure.hpp"

namespace tessera::io {

/// Counts of sites that no structure has.
struct Dropped {
    int hydrogens = 0;  ///< also deuterium and pseudo-atoms
    int alternate_locations = 0;
};

/// The name of the residue: that of its conformer of highest occupancy.
const std::string& chosen_name(const Residue& residue);

/// The number of sites that are no hydrogens.
int heavy_atoms(const Residue& residue);

/// Appends the heavy atoms of a residue, one for each atom name: that of the conformer of highest
/// occupancy. The residue gets the index after that of the last atom. Appends nothing if there are
/// only hydrogens.
void append_residue(const Residue& residue, const ResidueName& names, Dropped& dropped,
                    std::vector<AtomRecord>& atoms);

}  // namespace tessera::io
