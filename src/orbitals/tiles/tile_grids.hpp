// The grids of a tile: their points, their places in the writer, and their bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "io/hdf5/grid_file.hpp"
#include "kokkos_kernels/orbitals/orbital_problem.hpp"
#include "orbitals/tiles/prepare.hpp"

namespace tessera::orbitals {

/// All points of the planes [first_plane, first_plane + planes) of the grid.
kernels::PointBlock slab(const UniformGrid& grid, std::int64_t first_plane, std::int64_t planes);

/// The bytes of a value on the grid.
std::size_t value_bytes(const OrbitalInput& input);

/// The datasets of the writer for each kind of tile, or -1.
struct GridTargets {
    int orbitals = -1, density = -1, spin_density = -1;
    int fields = -1;  ///< of the first derived field; the others follow
    int potential = -1;
    int combinations = -1;  ///< of the first one; the others follow
};

/// The places of a tile's grids in the writer. Empty if the tile has no grids.
std::vector<io::GridBlock> grid_blocks_of(const OrbitalWork& work, const PreparedOrbitals& prepared,
                                          GridTargets targets);

/// The bytes of the largest tile of the run, for the writer's buffers.
std::size_t largest_tile_bytes(const OrbitalInput& input, const PreparedOrbitals& prepared);

}  // namespace tessera::orbitals
