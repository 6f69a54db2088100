// Values of stored grids on the vertices of a surface.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/uniform_grid.hpp"
#include "io/fields/mesh_writer.hpp"
#include "io/hdf5/h5.hpp"

namespace tessera::orbitals {

/// Grid number `index` of a dataset of open_grids() at points inside its box (bohr), by trilinear
/// interpolation between the eight neighbours. Vertices of surface_of_grid() lie on lines between
/// two points of the grid, where this is linear interpolation.
std::vector<double> values_at(const io::h5::Dataset& dataset, std::int64_t index,
                              const UniformGrid& grid,
                              std::span<const std::array<float, 3>> points);

/// The part of a mesh whose triangles have values between `low` and `high` at all three corners.
/// `values` are those of its vertices. Vertices of no triangle are left out.
io::Mesh part_within(const io::Mesh& mesh, std::span<const double> values, double low, double high);

}  // namespace tessera::orbitals
