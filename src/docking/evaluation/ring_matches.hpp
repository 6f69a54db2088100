// The pairs of neighbours that a reference has of a ring of equal copies.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "docking/evaluation/residue_matching.hpp"

namespace tessera::docking {

/// A reference may be turned by this much more or less than 360 degrees / n, and shifted by this
/// much along the axis, to count as part of a ring.
inline constexpr double ring_angle_tolerance = 10;  // degrees
inline constexpr double ring_shift_tolerance = 4;   // Angstrom

/// Matches the protein to every copy in the reference, and returns each pair of copies that a turn
/// by 360 degrees / `copies` relates, both ways round, `most` at most. `names` are the chains of
/// the reference that may be copies; empty: all. Throws Error if the protein is not in the
/// reference, or if no two copies are so related, naming the angles that there are.
std::vector<ComplexMatch> ring_matches(const std::vector<Chain>& protein,
                                       const std::vector<Chain>& reference, int copies,
                                       const std::vector<std::string>& names, std::size_t most);

}  // namespace tessera::docking
