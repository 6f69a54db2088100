// Isosurfaces of grids that are in a result file.
#pragma once

#include <cstdint>

#include "core/uniform_grid.hpp"
#include "io/fields/mesh_writer.hpp"
#include "io/hdf5/h5.hpp"

namespace tessera::orbitals {

/// Whether the grid is a plane, a line or a point, so that it holds no surface.
inline bool is_flat(const UniformGrid& grid) {
    return grid.shape[0] == 1 || grid.shape[1] == 1 || grid.shape[2] == 1;
}

/// The surfaces value = level and value = -level (level > 0) of grid number `index` of a dataset of
/// open_grids(), by marching cubes on the host's threads. A normal is the mean of the triangles
/// around its vertex. Lengths are in bohr. Throws Error if the grid is flat or the values do not
/// reach the level; a grid of zeros has an empty surface.
io::Mesh surface_of_grid(const io::h5::Dataset& dataset, std::int64_t index,
                         const UniformGrid& grid, double level);

}  // namespace tessera::orbitals
