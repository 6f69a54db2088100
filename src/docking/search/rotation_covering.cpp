#include "docking/search/rotation_covering.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "core/units.hpp"
#include "docking/search/orbit_cells.hpp"
#include "docking/search/relax_rotations.hpp"

namespace tessera::docking {

namespace {

/// A uniform number in [0, 1) with 53 bits. std::uniform_real_distribution differs between
/// libraries.
double uniform(std::mt19937_64& generator) {
    return static_cast<double>(generator() >> 11) * 0x1p-53;
}

/// The squared chord from `probe` to the nearest point that the cells find. 4 if they find none.
double nearest(const OrbitCells& cells, const Quaternion& probe) {
    double least = 4;
    cells.for_each_near(probe, [&](const OrbitMember&, const Quaternion&, double d2) {
        least = std::min(least, d2);
    });
    return least;
}

}  // namespace

Quaternion random_rotation(std::mt19937_64& generator) {
    const double u = uniform(generator), v = 2 * units::pi * uniform(generator),
                 t = 2 * units::pi * uniform(generator);
    const double r = std::sqrt(1 - u), s = std::sqrt(u);
    return {r * std::sin(v), r * std::cos(v), s * std::sin(t), s * std::cos(t)};
}

std::vector<Quaternion> covering_probes(std::int64_t count, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    std::vector<Quaternion> probes(static_cast<std::size_t>(count));
    for (Quaternion& probe : probes) probe = orbit_representative(random_rotation(generator));
    return probes;
}

Covering measure_covering(const std::vector<Quaternion>& bases,
                          const std::vector<Quaternion>& probes) {
    // In an even set hardly any probe is further than a spacing from all points.
    const double spacing = point_spacing(bases.size());
    const OrbitCells near(bases, spacing), far(bases, 3 * spacing);
    Covering covering;
    double sum = 0;
    for (const Quaternion& probe : probes) {
        double d2 = nearest(near, probe);
        if (d2 == 4) d2 = nearest(far, probe);
        // The rotation angle between two quaternions at chord c is 4 asin(c / 2).
        const double angle = 4 * std::asin(std::sqrt(d2) / 2) * 180 / units::pi;
        covering.largest_hole = std::max(covering.largest_hole, angle);
        sum += angle;
    }
    covering.mean = sum / static_cast<double>(probes.size());
    return covering;
}

}  // namespace tessera::docking
