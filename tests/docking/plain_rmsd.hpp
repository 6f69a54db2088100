// The root mean square distance of paired points, without superposition.
#pragma once

#include <cmath>
#include <vector>

#include "core/vec3.hpp"

namespace tessera::docking {

inline double plain_rmsd(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += distance_squared(a[i], b[i]);
    return std::sqrt(sum / static_cast<double>(a.size()));
}

}  // namespace tessera::docking
