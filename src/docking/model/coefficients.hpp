// Named coefficient sets, and the costs of clashes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "docking/model/pair_potential.hpp"
#include "docking/model/pose.hpp"

namespace tessera::docking {

/// PIPER's four coefficient sets (balanced, electrostatic, hydrophobic, vdw), with the weights for
/// a pair potential. The potential is the name of a built-in one, or a file, which takes the
/// weights of ACE.
std::vector<CoefficientSet>
default_coefficient_sets(const std::string& pair_potential = default_pair_potential);

/// Reads the names of built-in sets, or a file of lines "name w_rep w_att w_elec w_pair". At most
/// eight sets.
std::vector<CoefficientSet>
parse_coefficient_sets(const std::string& names_or_file,
                       const std::string& pair_potential = default_pair_potential);

/// Whether the rotations lie close enough for the defaults of a full search.
bool is_fine_search(std::int64_t rotations);

/// The height of the core, the relative height of the rim, and the weight of buried ligand atoms in
/// both. With few rotations even the pose nearest to the native one overlaps more, so clashes must
/// cost less.
struct ClashCost {
    double repulsion, rim, buried_ligand_weight;
};
ClashCost default_clash_cost(std::int64_t rotations);

}  // namespace tessera::docking
