#include "kokkos_kernels/orbitals/grid_isosurface.hpp"

#include "kokkos_kernels/orbitals/surface_maker.hpp"

namespace tessera::kernels {

template <class Real>
void grid_isosurface(const UniformGrid& grid, const PointBlock& block, const Real* values,
                     double level, const std::function<void(const SurfaceView& view)>& take) {
    const Kokkos::OpenMP space;
    SurfaceMaker<Real, OpenMPDevice> maker;
    maker.extract(
        space, {values, block.shape[0], block.shape[1], block.shape[2], static_cast<Real>(level)},
        TileFrame(grid, block, {1, 1, 1}));
    SurfaceView view = maker.download(space);
    space.fence("tessera::orbitals: the surface is there");
    view.normals = {};
    take(view);
}

template void grid_isosurface<float>(const UniformGrid&, const PointBlock&, const float*, double,
                                     const std::function<void(const SurfaceView&)>&);
template void grid_isosurface<double>(const UniformGrid&, const PointBlock&, const double*, double,
                                      const std::function<void(const SurfaceView&)>&);

}  // namespace tessera::kernels
