#include "docking/setup/choose_rotations.hpp"

#include <fmt/format.h>

#include <random>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "docking/search/ring_axes.hpp"
#include "docking/search/rotation_covering.hpp"

namespace tessera::docking {

namespace {

RotationSet choose_axes(const DockInput& input) {
    const int copies = input.symmetry.copies;
    const std::int64_t axes = input.symmetry.axes;
    if (input.seed == 0) return ring_rotations(copies, axes);
    std::mt19937_64 generator(input.seed);
    RotationSet set = ring_rotations(copies, axes, random_rotation(generator));
    set.description += fmt::format(", turned at random (seed {})", input.seed);
    return set;
}

/// The rotations of two membrane proteins, or of a ring in a membrane. So few of them are left that
/// a search of these alone is much faster than one of whole orbits.
RotationSet upright(RotationSet all, const Membrane& membrane) {
    std::vector<Quaternion> kept;
    for (std::int64_t r = 0; r < all.size(); ++r)
        if (membrane.may_turn(all[r])) kept.push_back(all[r]);
    if (kept.empty())
        throw Error(
            fmt::format("no rotation is within {:g} degrees of the membrane", membrane.tilt),
            "the search tries " + all.description,
            membrane.of_ring ? "raise --axes or --membrane-tilt"
                             : "raise --rotations or --membrane-tilt");
    all.description = fmt::format("{} of {}, within {:g} degrees of the membrane", kept.size(),
                                  all.description, membrane.tilt);
    all.bases = std::move(kept);
    all.group = {SignedPermutation{}};
    return all;
}

RotationSet choose_all(const DockInput& input) {
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

}  // namespace

RotationSet choose_rotations(const DockInput& input) {
    RotationSet all = choose_all(input);
    if (!input.membrane.is_set()) return all;
    const Membrane membrane = parse_membrane(input.membrane, input.symmetry.is_set());
    return membrane.of_ring || membrane.ligand ? upright(std::move(all), membrane) : all;
}

}  // namespace tessera::docking
