#include "docking/setup/choose_rotations.hpp"

#include <fmt/format.h>

#include <random>

#include "docking/search/ring_axes.hpp"
#include "docking/search/rotation_covering.hpp"

namespace tessera::docking {

namespace {

RotationSet choose_axes(const DockInput& input) {
    const auto& [copies, axes] = input.symmetry;
    if (input.seed == 0) return ring_rotations(copies, axes);
    std::mt19937_64 generator(input.seed);
    RotationSet set = ring_rotations(copies, axes, random_rotation(generator));
    set.description += fmt::format(", turned at random (seed {})", input.seed);
    return set;
}

}  // namespace

RotationSet choose_rotations(const DockInput& input) {
    if (input.symmetry.is_set()) return choose_axes(input);
    RotationSet set = input.rotation_file.empty() ? relaxed_orbit_rotations(input.rotations)
                                                  : read_rotations(input.rotation_file);
    if (input.seed != 0) {
        // The factor on the right turns the ligand first, so the set stays closed under the cube
        // group.
        std::mt19937_64 generator(input.seed);
        const Quaternion turn = random_rotation(generator);
        for (Quaternion& base : set.bases) base = base * turn;
        set.description += fmt::format(", turned at random (seed {})", input.seed);
    }
    return set;
}

}  // namespace tessera::docking
