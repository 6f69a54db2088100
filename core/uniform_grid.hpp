// A box of equally spaced points.
#pragma once

#include <array>
#include <cstdint>

#include "core/vec3.hpp"

namespace tessera {

/// Point (i, j, k) lies at origin + (i sx, j sy, k sz). The index k (z) runs fastest in memory
/// unless a dataset says otherwise. Lengths are in the unit of the workload (docking: Angstrom).
struct UniformGrid {
    Vec3 origin;
    Vec3 spacing{1, 1, 1};
    std::array<std::int64_t, 3> shape{0, 0, 0};

    std::int64_t size() const { return shape[0] * shape[1] * shape[2]; }

    Vec3 point(std::int64_t i, std::int64_t j, std::int64_t k) const {
        return {origin.x + spacing.x * static_cast<double>(i),
                origin.y + spacing.y * static_cast<double>(j),
                origin.z + spacing.z * static_cast<double>(k)};
    }
};

}  // namespace tessera
