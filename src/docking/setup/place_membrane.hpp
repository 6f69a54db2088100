// The membrane of a docking.
#pragma once

#include "docking/model/molecule.hpp"
#include "docking/setup/prepare.hpp"

namespace tessera::docking {

/// Says what the membrane is, and warns of a partner that was not placed in it. Does nothing
/// without --membrane.
void place_membrane(PreparedDocking& prepared, const DockInput& input, const Molecule& ligand);

}  // namespace tessera::docking
