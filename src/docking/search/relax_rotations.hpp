// Makes evenly spread rotations that are closed under the cube group
// (docs/method/docking-rotations.md).
#pragma once

#include <cstdint>
#include <vector>

#include "core/vec3.hpp"

namespace tessera::docking {

/// The super-Fibonacci spiral of `count` unit quaternions (Alexa, CVPR 2022).
std::vector<Quaternion> super_fibonacci_spiral(std::int64_t count);

/// The member with the largest w in the orbit {+-g q} of the 24 cube rotations g. It is the
/// rotation of the orbit nearest to the identity. If several are equally near, it is the first in
/// the order of the group.
Quaternion orbit_representative(const Quaternion& q);

/// `count` base rotations whose orbits under the cube group cover SO(3) evenly: a super-Fibonacci
/// spiral relaxed by Riesz repulsion among all orbit members and their antipodes. Every base is the
/// representative of its orbit. The bits are the same for any number of threads.
std::vector<Quaternion> relaxed_orbit_bases(std::int64_t count);

}  // namespace tessera::docking
