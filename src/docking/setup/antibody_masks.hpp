// Which atoms of antibodies attract less, and which are in CDRs.
#pragma once

#include <vector>

#include "docking/setup/prepare.hpp"

namespace tessera::docking {

/// Looks for antibodies, and says what it found. Fills `prepared.antibody` and `prepared.in_cdr`,
/// and the masks of receptor and ligand with a flag for each of their atoms. All stay empty with
/// --antibody off. With `auto` they stay empty for rings too, whose copies are no antigens.
void find_antibodies(PreparedDocking& prepared, const DockInput& input, const Molecule& ligand,
                     std::vector<bool>& receptor_masked, std::vector<bool>& ligand_masked);

}  // namespace tessera::docking
