#include "orbitals/orbital_surface.hpp"

#include <map>

namespace tessera::orbitals {

namespace {

/// The lobe's part of every slab, in order.
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

}  // namespace tessera::orbitals
