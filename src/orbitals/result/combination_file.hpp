// Writes what belongs to combinations into the output file of an orbital run, except their grids.
#pragma once

#include <cstdint>
#include <vector>

#include "io/hdf5/h5.hpp"
#include "orbitals/tiles/prepare.hpp"

namespace tessera::orbitals {

/// Writes a group for each combination into /combinations. `integrals` and `in_double` are [frame,
/// combination].
void write_combinations(io::h5::Group& group, const PreparedOrbitals& prepared,
                        const std::vector<double>& integrals,
                        const std::vector<std::int32_t>& in_double);

}  // namespace tessera::orbitals
