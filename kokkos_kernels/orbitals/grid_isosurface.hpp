// Isosurfaces of values that lie in host memory.
#pragma once

#include <functional>

#include "core/uniform_grid.hpp"
#include "kokkos_kernels/orbitals/orbital_evaluator.hpp"

namespace tessera::kernels {

/// Hands `take` the surfaces value = level, and after them those of value = -level (level > 0), by
/// marching cubes on the host's threads, which needs no DeviceRuntime. `values` are those of a
/// block of the grid, [z][y][x], and lengths are in bohr. Vertices are welded. There are no
/// normals. The view is valid during take() only.
template <class Real>
void grid_isosurface(const UniformGrid& grid, const PointBlock& block, const Real* values,
                     double level, const std::function<void(const SurfaceView& view)>& take);

}  // namespace tessera::kernels
