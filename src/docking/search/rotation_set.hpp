// The rotations a search visits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/octahedral_group.hpp"
#include "core/vec3.hpp"
#include "io/text/text_scanner.hpp"

namespace tessera::docking {

/// Base rotations and the group that multiplies them. Rotation r = base * group.size() + member is
/// group[member] applied after bases[base]. group is octahedral_group(), or the identity alone for a
/// user's own rotation file.
struct RotationSet {
    std::vector<Quaternion> bases;
    std::vector<SignedPermutation> group;
    std::string description;  ///< said in the output: "2917 bases x 24 (relaxed orbits)"
    std::string sha256;       ///< of the user's file; empty: of none

    std::int64_t size() const {
        return static_cast<std::int64_t>(bases.size()) * static_cast<std::int64_t>(group.size());
    }
    Quaternion operator[](std::int64_t rotation) const {
        const auto members = static_cast<std::int64_t>(group.size());
        return group[rotation % members].quaternion() * bases[rotation / members];
    }
};

/// 24 * round(rotations / 24) rotations closed under the cube group: a super-Fibonacci spiral
/// (Alexa 2022) of base rotations relaxed by Riesz repulsion among all orbit members and their
/// antipodes. Shipped sizes (3,600 and 70,000) are read from the data folder, others are computed,
/// the same for any number of ranks. Throws Error for rotations < 24 or > 10^7.
RotationSet relaxed_orbit_rotations(std::int64_t rotations);

/// A file of unit quaternions "w x y z", or 3x3 matrices (9 columns row-major, or 10 with a leading
/// index), one rotation a line; '#' starts a comment. Throws Error naming file and line.
RotationSet read_rotations(const std::string& path);
RotationSet parse_rotations(const io::TextSource& source);

}  // namespace tessera::docking
