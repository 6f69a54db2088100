// What a docking says about its two partners.
#pragma once

#include <string>
#include <vector>

#include "docking/setup/prepare.hpp"

namespace tessera::docking {

/// Adds messages and warnings on the partners that `p` holds and on the ligand.
void describe_partners(PreparedDocking& p, const Molecule& ligand,
                       const std::vector<std::string>& ligand_warnings);

}  // namespace tessera::docking
