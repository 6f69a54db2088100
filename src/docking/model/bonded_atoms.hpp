// Types, charges and radii of atoms that no table has, by element and bonding.
#pragma once

#include <cstddef>
#include <vector>

#include "docking/model/atom_table.hpp"
#include "io/proteins/structure.hpp"

namespace tessera::docking {

/// The parameters of the atoms `chosen` (indices, ascending) of a structure by the rules of
/// docs/method/docking-chemistry.md, in the same order. Two atoms are bonded if they are nearer
/// than the sum of their covalent radii and 0.45 A; metals have no bonds. Charges of functional
/// groups add up to whole numbers.
std::vector<AtomParameters> parameters_by_bonding(const std::vector<io::AtomRecord>& atoms,
                                                  const std::vector<std::size_t>& chosen);

}  // namespace tessera::docking
