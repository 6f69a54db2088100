#include "kokkos_kernels/orbitals/grid_isosurface.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "kokkos_kernels/orbitals/surface_maker.hpp"

namespace tessera::kernels {

namespace {

using Point = std::array<std::int64_t, 3>;

/// Unit vectors along which |value| falls, at any place of a grid.
template <class Real>
class GridGradient {
  public:
    GridGradient(const UniformGrid& grid, const Real* values) : grid_(grid), values_(values) {}

    /// The values around `at` in bohr are positive if `sign` is 1, and negative if it is -1.
    std::array<float, 3> outwards(const std::array<float, 3>& at, double sign) const {
        Point first{};
        double part[3];
        const double origin[3] = {grid_.origin.x, grid_.origin.y, grid_.origin.z};
        for (std::size_t a = 0; a < 3; ++a) {
            const double place = (static_cast<double>(at[a]) - origin[a]) / spacing(a);
            first[a] = std::clamp<std::int64_t>(static_cast<std::int64_t>(place), 0,
                                                std::max<std::int64_t>(grid_.shape[a] - 2, 0));
            part[a] = place - static_cast<double>(first[a]);
        }
        double gradient[3] = {};
        for (std::size_t corner = 0; corner < 8; ++corner) {
            Point p = first;
            double weight = 1;
            for (std::size_t a = 0; a < 3; ++a) {
                const bool next = (corner >> a & 1) != 0;
                weight *= next ? part[a] : 1 - part[a];
                p[a] = std::min(p[a] + (next ? 1 : 0), grid_.shape[a] - 1);
            }
            for (std::size_t a = 0; a < 3; ++a) gradient[a] += weight * slope(p, a);
        }
        const double length = std::hypot(gradient[0], gradient[1], gradient[2]);
        if (!(length > 0)) return {0, 0, 1};
        std::array<float, 3> normal{};
        for (std::size_t a = 0; a < 3; ++a)
            normal[a] = static_cast<float>(-sign * gradient[a] / length);
        return normal;
    }

  private:
    double spacing(std::size_t a) const {
        return a == 0 ? grid_.spacing.x : a == 1 ? grid_.spacing.y : grid_.spacing.z;
    }

    double value(const Point& p) const {
        return values_[(p[2] * grid_.shape[1] + p[1]) * grid_.shape[0] + p[0]];
    }

    /// The derivative along an axis, one-sided at the ends of the grid.
    double slope(const Point& p, std::size_t a) const {
        Point low = p, high = p;
        low[a] = std::max<std::int64_t>(p[a] - 1, 0);
        high[a] = std::min(p[a] + 1, grid_.shape[a] - 1);
        if (low[a] == high[a]) return 0;
        return (value(high) - value(low)) / (static_cast<double>(high[a] - low[a]) * spacing(a));
    }

    const UniformGrid& grid_;
    const Real* values_;
};

}  // namespace

template <class Real>
void grid_isosurface(const UniformGrid& grid, const Real* values, double level,
                     const std::function<void(const SurfaceView& view)>& take) {
    const Kokkos::OpenMP space;
    SurfaceMaker<Real, OpenMPDevice> maker;
    maker.extract(space,
                  {values, grid.shape[0], grid.shape[1], grid.shape[2], static_cast<Real>(level)},
                  TileFrame(grid, {{0, 0, 0}, grid.shape}, {1, 1, 1}));
    SurfaceView view = maker.download(space);
    space.fence("tessera::orbitals: the surface is there");
    std::vector<std::array<float, 3>> normals(view.vertices.size());
    const GridGradient<Real> gradient(grid, values);
#pragma omp parallel for schedule(static)
    for (std::size_t v = 0; v < normals.size(); ++v)
        normals[v] = gradient.outwards(view.vertices[v], v < view.positive_vertices ? 1 : -1);
    view.normals = normals;
    take(view);
}

template void grid_isosurface<float>(const UniformGrid&, const float*, double,
                                     const std::function<void(const SurfaceView&)>&);
template void grid_isosurface<double>(const UniformGrid&, const double*, double,
                                      const std::function<void(const SurfaceView&)>&);

}  // namespace tessera::kernels
