// Which atoms of antibodies attract less, and which are in CDRs.
#pragma once

#include "docking/setup/prepare.hpp"

namespace tessera::docking {

/// Looks for antibodies, and says what it found. Fills `antibody`, `masked` and `in_cdr`. They stay
/// empty with --antibody off. With `auto` they stay empty for rings too, whose copies are no
/// antigens.
void find_antibodies(PreparedDocking& prepared, const DockInput& input, const Molecule& ligand);

}  // namespace tessera::docking
