#include "orbitals/result/grid_surface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/error.hpp"
#include "io/hdf5/grid_file.hpp"
#include "kokkos_kernels/orbitals/grid_isosurface.hpp"
#include "orbitals/tiles/surface.hpp"

namespace tessera::orbitals {

namespace {

using Triple = std::array<float, 3>;

/// Twice the area of a triangle, along its normal.
std::array<double, 3> area_of(const Triple& a, const Triple& b, const Triple& c) {
    const auto along = [&](const Triple& to, int axis) {
        return static_cast<double>(to[axis]) - static_cast<double>(a[axis]);
    };
    const auto part = [&](int i, int j) {
        return along(b, i) * along(c, j) - along(b, j) * along(c, i);
    };
    return {part(1, 2), part(2, 0), part(0, 1)};
}

/// Unit normals of vertices: the sum of the areas around each.
std::vector<Triple> mean_normals(const SurfaceMesh& mesh) {
    std::vector<std::array<double, 3>> sums(mesh.vertices.size(), {0, 0, 0});
    for (const auto& corners : mesh.triangles) {
        const auto area = area_of(mesh.vertices[corners[0]], mesh.vertices[corners[1]],
                                  mesh.vertices[corners[2]]);
        for (const std::uint32_t corner : corners)
            for (std::size_t axis = 0; axis < 3; ++axis) sums[corner][axis] += area[axis];
    }
    std::vector<Triple> normals;
    normals.reserve(sums.size());
    for (const auto& sum : sums) {
        const double length = std::hypot(sum[0], sum[1], sum[2]);
        const double scale = length > 0 ? 1 / length : 0;
        normals.push_back({static_cast<float>(scale * sum[0]), static_cast<float>(scale * sum[1]),
                           static_cast<float>(length > 0 ? scale * sum[2] : 1)});
    }
    return normals;
}

/// The surfaces of slabs that share a plane, and the largest absolute value.
struct SlabSurfaces {
    std::vector<SurfaceMesh> meshes;
    double largest = 0;
};

SlabSurfaces surfaces_of_slabs(const io::h5::Dataset& dataset, std::int64_t index,
                               const UniformGrid& grid, double level) {
    const std::int64_t all = grid.shape[2];
    const std::int64_t planes = choose_density_slabs(grid.shape, true).planes + 1;
    SlabSurfaces found;
    for (std::int64_t begin = 0; begin == 0 || begin + 1 < all; begin += planes - 1) {
        const kernels::PointBlock block{
            {0, 0, begin}, {grid.shape[0], grid.shape[1], std::min(planes, all - begin)}};
        const auto values = io::read_grid_box(dataset, index, block.begin, block.shape);
        for (const double value : values) {
            if (!std::isfinite(value))
                dataset.refuse("'" + dataset.name() + "'", "a value is not finite");
            found.largest = std::max(found.largest, std::abs(value));
        }
        kernels::grid_isosurface(
            grid, block, values.data(), level,
            [&](const kernels::SurfaceView& view) { found.meshes.emplace_back(view); });
    }
    return found;
}

}  // namespace

io::Mesh surface_of_grid(const io::h5::Dataset& dataset, std::int64_t index,
                         const UniformGrid& grid, double level) {
    if (is_flat(grid))
        throw Error(fmt::format("'{}' of '{}' has no surface", dataset.name(), dataset.file()),
                    fmt::format("its grid of {} x {} x {} points is flat", grid.shape[0],
                                grid.shape[1], grid.shape[2]),
                    "run again with at least two points along each axis");
    const SlabSurfaces slabs = surfaces_of_slabs(dataset, index, grid, level);
    if (slabs.largest > 0 && slabs.largest < level)
        throw Error(fmt::format("'{}' of '{}' has no surface at {:g}", dataset.name(),
                                dataset.file(), level),
                    fmt::format("its values reach {:.3g}", slabs.largest),
                    "give a smaller --isovalue");
    const SurfaceMesh whole = weld(slabs.meshes);
    io::Mesh mesh;
    mesh.normals = mean_normals(whole);
    mesh.vertices = whole.vertices;
    mesh.triangles = whole.triangles;
    mesh.positive_triangles = whole.positive_triangles;
    return mesh;
}

}  // namespace tessera::orbitals
