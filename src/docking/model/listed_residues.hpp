// Residues of a structure in words.
#pragma once

#include <set>
#include <string>

#include "io/proteins/structure.hpp"

namespace tessera::docking {

/// Values of AtomRecord::residue_index.
using ResidueSet = std::set<int>;

/// "A 1-40, A 97 and 3 more": the first four ranges of numbers, in file order.
std::string listed(const io::Structure& structure, const ResidueSet& residues);

/// For an error about a residue that was not found: "; 38 residues of low pLDDT are left out, which
/// --plddt off keeps", or an empty text if none is left out.
std::string left_out_hint(const io::Structure& structure);

}  // namespace tessera::docking
