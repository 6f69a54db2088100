// Isosurfaces of orbitals on their way from the device to the result file. They wait in the journal
// as bytes, because the surfaces of a long trajectory do not fit into memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "kokkos_kernels/orbitals/orbital_evaluator.hpp"

namespace tessera::orbitals {

/// Both lobes: the triangles of psi = +level, then the triangles of psi = -level. Lengths in bohr.
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
/// vertex.
SurfaceMesh weld(const std::vector<SurfaceMesh>& slabs);

/// The surfaces of one orbital of a loaded problem on the whole grid, slab by slab. `planes`: those
/// of a slab, at least 2, which do not change the surface. The view is valid during take() only.
void make_surface(kernels::OrbitalValues& values, const std::array<std::int64_t, 3>& shape,
                  int orbital, double level, std::int64_t planes,
                  const std::function<void(const kernels::SurfaceView& view)>& take);

/// Takes a surface. `frame` is the index of its frame, and `item` its item of the selection. The
/// view is valid during the call only.
using SurfaceSink =
    std::function<void(std::int32_t frame, std::int32_t item, const kernels::SurfaceView& view)>;

/// A surface as bytes.
std::vector<std::byte> pack_surface(std::int32_t frame, std::int32_t item,
                                    const kernels::SurfaceView& view);

/// Hands a packed surface to `take`. Throws Error if bytes are missing.
void unpack_surface(std::span<const std::byte> bytes, const SurfaceSink& take);

}  // namespace tessera::orbitals
