// Conformers of a partner along the softest modes of its elastic network.
#pragma once

#include <string>
#include <vector>

#include "docking/ensemble/elastic_network.hpp"
#include "docking/ensemble/ensemble.hpp"
#include "io/proteins/structure.hpp"

namespace tessera::docking {

/// The atoms of a structure after its C-alpha atoms, or C1' atoms of nucleotides, have moved along
/// a mode: atom `nodes[i]` by `factor` times the i-th displacement. Each residue is moved as a
/// rigid body. It is turned as the nodes within 10 A of its own turn. Residues without a node move
/// with the nearest one.
std::vector<Vec3> moved_along(const io::Structure& structure, const std::vector<std::size_t>& nodes,
                              const NormalMode& mode, double factor);

/// `count` conformers: the structure itself, then at +rmsd and -rmsd along the first mode, along
/// the second mode, and so on. `rmsd`: of the nodes, Angstrom. `left_out`: residues that are
/// not in the network. `partner` is named in errors. Throws Error as softest_modes() does.
PartnerConformers conformers_along_modes(const std::string& partner, const io::Structure& whole,
                                         const std::vector<int>& left_out, int count, double rmsd);

}  // namespace tessera::docking
