// Isosurfaces of orbitals and densities on their way from the device to the result file. They wait
// in the journal as bytes, because the surfaces of a long trajectory do not fit into memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/uniform_grid.hpp"
#include "kokkos_kernels/orbitals/orbital_evaluator.hpp"

namespace tessera::orbitals {

/// Both lobes: the triangles of value = +level, then the triangles of value = -level. Lengths in
/// bohr.
struct SurfaceMesh {
    std::vector<std::array<float, 3>> vertices, normals;
    std::vector<std::array<std::uint32_t, 3>> triangles;  ///< indices into vertices
    std::size_t positive_vertices = 0, positive_triangles = 0;

    SurfaceMesh() = default;
    explicit SurfaceMesh(const kernels::SurfaceView& view);
    kernels::SurfaceView view() const {
        return {vertices, normals, triangles, positive_vertices, positive_triangles};
    }
};

/// Joins the meshes of slabs that share a plane. Vertices of a lobe at the same place become one
/// vertex. Either all slabs have normals or none has.
SurfaceMesh weld(const std::vector<SurfaceMesh>& slabs);

/// The surfaces of one orbital of a loaded problem on the whole grid, slab by slab. `planes`: those
/// of a slab, at least 2, which do not change the surface. The view is valid during take() only.
void make_surface(kernels::OrbitalValues& values, const std::array<std::int64_t, 3>& shape,
                  int orbital, double level, std::int64_t planes,
                  const std::function<void(const kernels::SurfaceView& view)>& take);

/// Rows of a loaded problem and their weights: the density is the sum of weight * psi^2.
struct DensityRows {
    std::span<const int> rows;
    std::span<const double> weights;
};

/// How a density is evaluated for its surface. Planes are those of constant z.
struct DensitySlabs {
    bool double_precision = false;
    std::int64_t planes = 1;   ///< of a slab in host memory; decides the order of vertices
    std::int64_t at_once = 1;  ///< evaluated in one call, which does not change the surface
};
/// Slabs of at most 32 Mi points, if 16 planes have no more, that are evaluated as a whole.
DensitySlabs choose_density_slabs(const std::array<std::int64_t, 3>& points, bool double_precision);

/// The surfaces density = level and density = -level on the whole grid, without normals.
SurfaceMesh make_density_surface(kernels::OrbitalValues& values, const UniformGrid& grid,
                                 const DensityRows& density, double level,
                                 const DensitySlabs& slabs);

/// The items of surfaces that belong to no item of the selection.
inline constexpr std::int32_t density_item = -1, spin_density_item = -2;
/// The item of a combination, and the combination (its index) of an item. Items of combinations lie
/// below the two above, and for others the index is negative.
constexpr std::int32_t combination_item(std::int32_t combination) { return -3 - combination; }
constexpr std::int32_t combination_of(std::int32_t item) { return -3 - item; }

/// Takes a surface. `frame` is the index of its frame, and `item` its item of the selection, or one
/// of those above. `scalars` are [field][vertex]. The spans are valid during the call only.
using SurfaceSink =
    std::function<void(std::int32_t frame, std::int32_t item, const kernels::SurfaceView& view,
                       std::span<const double> scalars)>;

/// A surface as bytes.
std::vector<std::byte> pack_surface(std::int32_t frame, std::int32_t item,
                                    const kernels::SurfaceView& view,
                                    std::span<const double> scalars = {});

/// Hands a packed surface to `take`. Throws Error if bytes are missing. What follows the triangles
/// is scalars.
void unpack_surface(std::span<const std::byte> bytes, const SurfaceSink& take);

}  // namespace tessera::orbitals
