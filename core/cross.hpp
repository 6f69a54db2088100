// The cross product of two vectors.
#pragma once

#include "core/vec3.hpp"

namespace tessera {

inline Vec3 cross(Vec3 a, Vec3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

}  // namespace tessera
