// What an orbital run loads into a device at once.
#pragma once

#include <cstdint>
#include <vector>

#include "orbitals/tiles/prepare.hpp"

namespace tessera::plan {

/// The orbitals of the first frame that are loaded together: those of the selection, and those with
/// a weight in a density.
std::vector<int> loaded_orbitals(const orbitals::OrbitalInput& input,
                                 const orbitals::PreparedOrbitals& prepared);

/// The most bytes that groups of primitives and coefficients of orbitals take. In periodic systems
/// these are those of the first frame, with their images in the box of the grid.
std::int64_t coefficient_bytes(const orbitals::OrbitalInput& input,
                               const orbitals::PreparedOrbitals& prepared);

}  // namespace tessera::plan
