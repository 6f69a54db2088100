// Grids and meshes that are small enough for a page.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>

#include "core/uniform_grid.hpp"
#include "io/fields/mesh_writer.hpp"
#include "io/hdf5/h5.hpp"

namespace tessera::app {

/// Every n-th point of grid number `number` of the dataset along each axis: origin and spacing
/// (Angstrom), shape, and the values, x fastest, as base64 of the upper halves of floats. `grid` is
/// the whole grid in bohr. Throws Error if a value is not finite.
nlohmann::ordered_json thin_grid(const io::h5::Dataset& dataset, std::int64_t number,
                                 const UniformGrid& grid);

/// The mesh with vertices in Angstrom. Vertices that lie in one cell of a lattice become one, with
/// the finest lattice that leaves few enough triangles. Vertices, normals and values of fields are
/// base64 of float32, triangles of uint32.
nlohmann::ordered_json thin_mesh(const io::Mesh& mesh);

}  // namespace tessera::app
