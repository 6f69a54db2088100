// The pairs of neighbours that a reference has of a ring of equal copies.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "docking/evaluation/residue_matching.hpp"

namespace tessera::docking {

/// A reference may be turned by this much more or less than 360 degrees / n, and shifted by this
/// much along the axis, to count as part of a ring.
inline constexpr double ring_angle_tolerance = 10;  // degrees
inline constexpr double ring_shift_tolerance = 4;   // Angstrom

/// The matches of the protein with every copy of it in the reference. `names` are the chains of the
/// reference that may be copies; empty: all. Throws Error if the protein is not in the reference.
std::vector<PartnerMatch> copies_in_reference(const std::vector<Chain>& protein,
                                              const std::vector<Chain>& reference,
                                              const std::vector<std::string>& names);

bool share_a_chain(const PartnerMatch& a, const PartnerMatch& b);

/// Angle and shift along its axis of a motion, in degrees and Angstrom.
struct Screw {
    double angle = 0, shift = 0;
};

/// The motion from the residues of one copy to those of another.
Screw relation(const PartnerMatch& from, const PartnerMatch& to, const std::vector<Chain>& protein,
               const std::vector<Chain>& reference);

/// "90, 180", the whole numbers nearest to angles.
std::string list_of_angles(const std::set<long>& angles);

/// Matches the protein to every copy in the reference, and returns each pair of copies that a turn
/// by 360 degrees / `copies` relates, both ways round, `most` at most. Throws Error as
/// copies_in_reference() does, or, naming the angles that there are, if no two are so related.
std::vector<ComplexMatch> ring_matches(const std::vector<Chain>& protein,
                                       const std::vector<Chain>& reference, int copies,
                                       const std::vector<std::string>& names, std::size_t most);

}  // namespace tessera::docking
