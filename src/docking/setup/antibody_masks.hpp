// Which atoms of antibodies attract less.
#pragma once

#include <array>
#include <vector>

#include "docking/setup/prepare.hpp"

namespace tessera::docking {

/// Looks for antibodies and says what it found. Returns the masks of receptor and ligand, with a
/// flag for each atom of their structures; empty without --antibody.
std::array<std::vector<bool>, 2> find_antibodies(PreparedDocking& prepared, const DockInput& input);

}  // namespace tessera::docking
