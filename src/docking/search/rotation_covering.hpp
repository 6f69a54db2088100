// How well the orbits of base rotations cover SO(3), from random probes.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "core/vec3.hpp"

namespace tessera::docking {

/// A uniformly distributed rotation (Shoemake 1992). The generator's output is specified by the
/// language, so the same on every machine but for the last bits of its sines.
Quaternion random_rotation(std::mt19937_64& generator);

/// Distance from random rotations to the nearest of a set, as rotation angles in degrees.
struct Covering {
    double largest_hole = 0;
    double mean = 0;
};

/// `count` uniformly random rotations (fixed generator), each as the representative of its orbit.
std::vector<Quaternion> covering_probes(std::int64_t count, std::uint64_t seed = 1);

/// Covering of the orbits of `bases`, from such probes.
Covering measure_covering(const std::vector<Quaternion>& bases,
                          const std::vector<Quaternion>& probes);

}  // namespace tessera::docking
