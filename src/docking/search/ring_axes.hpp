// The rotations of a search for rings of equal copies.
#pragma once

#include <cstdint>
#include <vector>

#include "docking/search/rotation_set.hpp"

namespace tessera::docking {

/// `count` unit vectors that cover the directions of axes evenly: a spiral by the golden angle over
/// half of the sphere. The other half has the same axes.
std::vector<Vec3> spiral_axes(std::int64_t count);

/// The rotation by 360 degrees / `copies` about each axis, turned by `turn`, without orbits.
RotationSet ring_rotations(int copies, std::int64_t axes, const Quaternion& turn = {});

}  // namespace tessera::docking
