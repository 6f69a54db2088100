#include "orbitals/tiles/surface.hpp"

#include <algorithm>
#include <cstring>
#include <map>

#include "core/error.hpp"

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
                whole.normals.push_back(slab.normals[v]);
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

std::vector<std::byte> pack_surface(std::int32_t frame, std::int32_t item,
                                    const kernels::SurfaceView& view) {
    const SurfaceHeader header{frame,
                               item,
                               view.vertices.size(),
                               view.triangles.size(),
                               view.positive_vertices,
                               view.positive_triangles};
    std::vector<std::byte> bytes(sizeof(header) + view.vertices.size_bytes() +
                                 view.normals.size_bytes() + view.triangles.size_bytes());
    auto end = bytes.begin();
    const auto add = [&](auto rows) { end = std::ranges::copy(std::as_bytes(rows), end).out; };
    add(std::span(&header, 1));
    add(view.vertices);
    add(view.normals);
    add(view.triangles);
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
    take(header.frame, header.item, mesh.view());
}

}  // namespace tessera::orbitals
