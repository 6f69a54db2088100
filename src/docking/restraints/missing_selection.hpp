// What to write instead of a selection that names no atoms.
#pragma once

#include <string>

#include "docking/restraints/atom_selection.hpp"

namespace tessera::docking {

/// Names the atoms of the residues if only the atom name is wrong, the partner that has such atoms
/// if it is the other one, or else the chains and residue numbers of the partner that is meant.
/// `only` is that partner, or null if the selection may mean either.
std::string suggestion_for(const AtomSelection& selection, const io::Structure& receptor,
                           const io::Structure& ligand, const Partner* only);

}  // namespace tessera::docking
