// The rotations that a search visits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/octahedral_group.hpp"
#include "core/vec3.hpp"
#include "io/text/text_scanner.hpp"

namespace tessera::docking {

/// Base rotations and the group that multiplies them. Rotation r = base * group.size() + member
/// applies bases[base] first and then group[member]. The group is octahedral_group(), or the
/// identity alone for a user's rotation file.
struct RotationSet {
    std::vector<Quaternion> bases;
    std::vector<SignedPermutation> group;
    std::string description;  ///< for messages: "2917 bases x 24 (relaxed orbits)"
    std::string sha256;       ///< hash of the user's file; empty if there is none

    std::int64_t size() const {
        return static_cast<std::int64_t>(bases.size()) * static_cast<std::int64_t>(group.size());
    }
    Quaternion operator[](std::int64_t rotation) const {
        const auto members = static_cast<std::int64_t>(group.size());
        return group[rotation % members].quaternion() * bases[rotation / members];
    }
};

/// 24 * round(rotations / 24) rotations that are closed under the cube group. The base rotations
/// are a super-Fibonacci spiral (Alexa 2022), relaxed by Riesz repulsion among all orbit members
/// and their antipodes. The sets of 3,600 and 70,000 rotations are read from the data folder, and
/// all others are computed. Throws Error for rotations < 24 or > 10^7.
RotationSet relaxed_orbit_rotations(std::int64_t rotations);

/// Reads a file with one rotation on each line: a unit quaternion "w x y z", or a 3x3 matrix (9
/// columns row-major, or 10 with a leading index). '#' starts a comment. Throws Error with file and
/// line.
RotationSet read_rotations(const std::string& path);
RotationSet parse_rotations(const io::TextSource& source);

}  // namespace tessera::docking
