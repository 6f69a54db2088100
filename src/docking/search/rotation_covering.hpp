// Measures how well the orbits of base rotations cover SO(3), with random probes.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "core/vec3.hpp"

namespace tessera::docking {

/// A uniformly distributed rotation (Shoemake 1992). The language specifies the generator, so only
/// the last bits of the sines differ between machines.
Quaternion random_rotation(std::mt19937_64& generator);

/// The distances from random rotations to the nearest rotation of a set, as rotation angles in
/// degrees.
struct Covering {
    double largest_hole = 0;
    double mean = 0;
};

/// `count` uniformly random rotations from a fixed generator. Each is the representative of its
/// orbit.
std::vector<Quaternion> covering_probes(std::int64_t count, std::uint64_t seed = 1);

/// The covering of the orbits of `bases`, measured with such probes.
Covering measure_covering(const std::vector<Quaternion>& bases,
                          const std::vector<Quaternion>& probes);

}  // namespace tessera::docking
