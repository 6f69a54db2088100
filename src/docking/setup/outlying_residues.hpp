// Finds the few residues, such as a disordered tail, that make the docking grid much larger.
#pragma once

#include <string>
#include <vector>

#include "docking/model/frame.hpp"
#include "docking/model/molecule.hpp"
#include "io/proteins/structure.hpp"

namespace tessera::docking {

/// A partner as read, and its atoms in the energy.
struct DockedPartner {
    const char* role;  ///< "receptor" or "ligand"
    const io::Structure& structure;
    const Molecule& molecule;
};

/// A warning if residues far from the rest enlarge the grid, or an empty text. They are residues
/// more than 2.2 times as far from their partner's centre as its median residue, at most 15 % of
/// it, and without them the grid has at most half of its points. Names them, both grid sizes, and
/// what to do. `frame` is the frame of both partners, with the grid size chosen for them.
std::string outlying_residues_warning(const DockedPartner& receptor, const DockedPartner& ligand,
                                      const DockingFrame& frame);

}  // namespace tessera::docking
