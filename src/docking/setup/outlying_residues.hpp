// Finds the few residues, such as a disordered tail, that make the docking grid much larger.
#pragma once

#include <cstddef>
#include <string>

#include "docking/model/frame.hpp"
#include "docking/model/molecule.hpp"
#include "io/proteins/structure.hpp"

namespace tessera::docking {

/// The extent of a partner, with and without its outlying residues. They are residues more than 2.2
/// times as far from the partner's centre as its median residue, at most 15 % of it.
struct PartnerOutline {
    Molecule whole;  ///< positions alone, of all atoms
    Molecule core;   ///< without the outlying residues; empty if there are none
    std::size_t outlying = 0, residues = 0;  ///< numbers of residues
    std::string named;                       ///< the outlying residues, such as "A 1-40, A 97"
};

PartnerOutline outline_of(const io::Structure& structure);

/// A warning if outlying residues enlarge the grid, or an empty text. Without them the grid has at
/// most half of its points. Names them, both grid sizes, and what to do. `frame` is the frame of
/// both partners, with the grid size chosen for them.
std::string outlying_residues_warning(const PartnerOutline& receptor, const PartnerOutline& ligand,
                                      const DockingFrame& frame);

}  // namespace tessera::docking
