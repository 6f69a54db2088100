// Isosurfaces of orbitals on their way from the device to the result file.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kokkos_kernels/orbitals/orbital_evaluator.hpp"

namespace tessera::orbitals {

/// Both lobes: the triangles of psi = +level, then those of psi = -level. Lengths in bohr.
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

/// Joins meshes of slabs that share a plane: vertices of a lobe at the same place become one.
SurfaceMesh weld(const std::vector<SurfaceMesh>& slabs);

}  // namespace tessera::orbitals
