// The first stars of a simulation.
#pragma once

#include <cstdint>
#include <vector>

#include "likelihood/simulate/simulate.hpp"

namespace tessera::likelihood {

inline std::vector<SimulatedStar> simulate_stars(const StreamModel& model, std::int64_t number,
                                                 std::uint64_t seed) {
    return StarDrawer(model, seed).draw(0, number);
}

}  // namespace tessera::likelihood
