// The pairs of conformers of an ensemble, each of which is prepared as a docking of its own.
#pragma once

#include <cstddef>

#include "docking/setup/prepare.hpp"

namespace tessera::docking {

/// The atoms of a partner in one of its conformers that are docked.
io::Structure docked_receptor(const PreparedDocking& first, std::size_t conformer);
io::Structure docked_ligand_conformer(const PreparedDocking& first, std::size_t conformer);

/// Takes the partners of `first`, which has the ensemble, in the conformers of pair `number`. Takes
/// the receptor from `former`, with what is known of it, if it has the same conformer. Returns
/// whether it did.
bool place_conformers(PreparedDocking& prepared, const PreparedDocking& first, std::size_t number,
                      const PreparedDocking* former);

/// The frame of all pairs of conformers: its grid holds each of them.
DockingFrame frame_of_all(const PreparedDocking& prepared, const Molecule& ligand,
                          const DockInput& input);

}  // namespace tessera::docking
