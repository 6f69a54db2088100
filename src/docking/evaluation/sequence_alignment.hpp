// Global alignment of two sequences.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace tessera::docking {

/// Pairs (index in a, index in b) of two sequences.
using IndexPairs = std::vector<std::pair<std::size_t, std::size_t>>;

/// Aligns two sequences of residue names with affine gaps (Gotoh 1982). Scores: identical +5,
/// different -4, -10 to open a gap, -0.5 to extend it. Gaps at the ends are free.
IndexPairs align_sequences(const std::vector<std::string>& a, const std::vector<std::string>& b);

}  // namespace tessera::docking
