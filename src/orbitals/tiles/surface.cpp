#include "orbitals/tiles/surface.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "core/error.hpp"
#include "kokkos_kernels/orbitals/grid_isosurface.hpp"

namespace tessera::orbitals {

namespace {

/// Joins the parts of one lobe in all slabs, in order.
void weld_lobe(const std::vector<SurfaceMesh>& slabs, bool positive, SurfaceMesh& whole) {
    std::map<std::array<float, 3>, std::uint32_t> known;
    for (const SurfaceMesh& slab : slabs) {
        const std::size_t first = positive ? 0 : slab.positive_vertices;
        const std::size_t last = positive ? slab.positive_vertices : slab.vertices.size();
        std::vector<std::uint32_t> place;
        for (std::size_t v = first; v < last; ++v) {
            const auto next = static_cast<std::uint32_t>(whole.vertices.size());
            const auto [at, is_new] = known.try_emplace(slab.vertices[v], next);
            if (is_new) {
                whole.vertices.push_back(slab.vertices[v]);
                if (!slab.normals.empty()) whole.normals.push_back(slab.normals[v]);
            }
            place.push_back(at->second);
        }
        const std::size_t begin = positive ? 0 : slab.positive_triangles;
        const std::size_t end = positive ? slab.positive_triangles : slab.triangles.size();
        for (std::size_t t = begin; t < end; ++t) {
            const auto& corners = slab.triangles[t];
            whole.triangles.push_back(
                {place[corners[0] - first], place[corners[1] - first], place[corners[2] - first]});
        }
    }
}

/// Evaluates the planes [first, first + count) of a density into `out`, some at a time.
template <class Real>
void fill_planes(kernels::OrbitalValues& values, const UniformGrid& grid,
                 const DensityRows& density, std::int64_t first, std::int64_t count,
                 std::int64_t at_once, Real* out) {
    for (std::int64_t begin = 0; begin < count; begin += at_once)
        values.density({{0, 0, first + begin},
                        {grid.shape[0], grid.shape[1], std::min(at_once, count - begin)}},
                       density.rows, density.weights, out + begin * grid.shape[0] * grid.shape[1]);
}

/// The surfaces of every slab. A slab also has the last plane of the slab before, because cubes lie
/// between planes.
template <class Real>
std::vector<SurfaceMesh> density_surfaces(kernels::OrbitalValues& values, const UniformGrid& grid,
                                          const DensityRows& density, double level,
                                          const DensitySlabs& slabs) {
    const std::int64_t plane = grid.shape[0] * grid.shape[1], all = grid.shape[2];
    const std::int64_t room = std::min(slabs.planes + 1, all);
    std::vector<Real> slab(static_cast<std::size_t>(room * plane));
    std::vector<SurfaceMesh> surfaces;
    std::int64_t first = 0, held = 0;  // of the slab's planes
    for (std::int64_t next = 0; next < all; next = first + held) {
        if (held > 0) std::copy_n(slab.begin() + (held - 1) * plane, plane, slab.begin());
        const std::int64_t shared = held > 0 ? 1 : 0, fresh = std::min(slabs.planes, all - next);
        fill_planes(values, grid, density, next, fresh, slabs.at_once,
                    slab.data() + shared * plane);
        first = next - shared;
        held = shared + fresh;
        kernels::grid_isosurface(
            grid, {{0, 0, first}, {grid.shape[0], grid.shape[1], held}}, slab.data(), level,
            [&](const kernels::SurfaceView& view) { surfaces.emplace_back(view); });
    }
    return surfaces;
}

struct SurfaceHeader {
    std::int32_t frame = 0, item = 0;
    std::uint64_t vertices = 0, triangles = 0, positive_vertices = 0, positive_triangles = 0;
};

template <class T>
std::vector<T> take_rows(std::span<const std::byte>& bytes, std::uint64_t count) {
    if (count > bytes.size() / sizeof(T))
        throw Error("a surface in the journal is incomplete",
                    "another build has written the journal, or there is a bug",
                    "start over with --force", ExitCode::internal);
    std::vector<T> rows(count);
    if (count > 0) std::memcpy(rows.data(), bytes.data(), count * sizeof(T));
    bytes = bytes.subspan(count * sizeof(T));
    return rows;
}

}  // namespace

SurfaceMesh::SurfaceMesh(const kernels::SurfaceView& view)
    : vertices(view.vertices.begin(), view.vertices.end()),
      normals(view.normals.begin(), view.normals.end()),
      triangles(view.triangles.begin(), view.triangles.end()),
      positive_vertices(view.positive_vertices),
      positive_triangles(view.positive_triangles) {}

SurfaceMesh weld(const std::vector<SurfaceMesh>& slabs) {
    SurfaceMesh whole;
    weld_lobe(slabs, true, whole);
    whole.positive_vertices = whole.vertices.size();
    whole.positive_triangles = whole.triangles.size();
    weld_lobe(slabs, false, whole);
    return whole;
}

void make_surface(kernels::OrbitalValues& values, const std::array<std::int64_t, 3>& shape,
                  int orbital, double level, std::int64_t planes,
                  const std::function<void(const kernels::SurfaceView& view)>& take) {
    const std::int64_t all = shape[2];
    const auto surface_of = [&](std::int64_t begin) {
        return values.isosurface(
            {{0, 0, begin}, {shape[0], shape[1], std::min(planes, all - begin)}}, orbital, level);
    };
    if (planes >= all) return take(surface_of(0));
    // Cubes lie between planes, so neighbouring slabs share a plane.
    std::vector<SurfaceMesh> slabs;
    for (std::int64_t begin = 0; begin == 0 || begin + 1 < all; begin += planes - 1)
        slabs.emplace_back(surface_of(begin));
    take(weld(slabs).view());
}

DensitySlabs choose_density_slabs(const std::array<std::int64_t, 3>& points,
                                  bool double_precision) {
    constexpr std::int64_t most = std::int64_t{1} << 25, step = 16;  // the depth of a kernel's tile
    const std::int64_t wanted = most / (points[0] * points[1]) / step * step;
    const std::int64_t planes = std::clamp<std::int64_t>(wanted, step, std::max(step, points[2]));
    return {double_precision, planes, planes};
}

SurfaceMesh make_density_surface(kernels::OrbitalValues& values, const UniformGrid& grid,
                                 const DensityRows& density, double level,
                                 const DensitySlabs& slabs) {
    auto surfaces = slabs.double_precision
                        ? density_surfaces<double>(values, grid, density, level, slabs)
                        : density_surfaces<float>(values, grid, density, level, slabs);
    return surfaces.size() == 1 ? std::move(surfaces.front()) : weld(surfaces);
}

std::vector<std::byte> pack_surface(std::int32_t frame, std::int32_t item,
                                    const kernels::SurfaceView& view,
                                    std::span<const double> scalars) {
    const SurfaceHeader header{frame,
                               item,
                               view.vertices.size(),
                               view.triangles.size(),
                               view.positive_vertices,
                               view.positive_triangles};
    std::vector<std::byte> bytes(sizeof(header) + view.vertices.size_bytes() +
                                 view.normals.size_bytes() + view.triangles.size_bytes() +
                                 scalars.size_bytes());
    auto end = bytes.begin();
    const auto add = [&](auto rows) { end = std::ranges::copy(std::as_bytes(rows), end).out; };
    add(std::span(&header, 1));
    add(view.vertices);
    add(view.normals);
    add(view.triangles);
    add(scalars);
    return bytes;
}

void unpack_surface(std::span<const std::byte> bytes, const SurfaceSink& take) {
    const SurfaceHeader header = take_rows<SurfaceHeader>(bytes, 1).front();
    SurfaceMesh mesh;
    mesh.vertices = take_rows<std::array<float, 3>>(bytes, header.vertices);
    mesh.normals = take_rows<std::array<float, 3>>(bytes, header.vertices);
    mesh.triangles = take_rows<std::array<std::uint32_t, 3>>(bytes, header.triangles);
    mesh.positive_vertices = header.positive_vertices;
    mesh.positive_triangles = header.positive_triangles;
    const auto scalars = take_rows<double>(bytes, bytes.size() / sizeof(double));
    take(header.frame, header.item, mesh.view(), scalars);
}

}  // namespace tessera::orbitals
