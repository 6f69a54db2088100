// The ways to match partners and reference that differ only by the exchange of equal chains.
#pragma once

#include <cstddef>
#include <vector>

#include "docking/evaluation/residue_matching.hpp"

namespace tessera::docking {

/// The match itself comes first. The others exchange copies of a chain in three ways:
/// - The matched chains of a partner superpose on other chains of the same partner. These are the
///   symmetries of an oligomer, and the copies that the reference lacks.
/// - The matched chains of the whole reference superpose on other chains of the reference, which
///   then holds the complex several times. Only chains that each partner may take count.
/// - Receptor and ligand are the same protein and exchange their chains of the reference.
/// All combinations of these are listed, `most` at most, in an order that the files alone decide.
std::vector<ComplexMatch> equivalent_matches(const ComplexMatch& match,
                                             const std::vector<Chain>& receptor,
                                             const std::vector<Chain>& ligand,
                                             const std::vector<Chain>& reference, std::size_t most);

}  // namespace tessera::docking
