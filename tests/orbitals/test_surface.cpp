// Surfaces between the device and the result file: joined slabs, packed bytes.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.hpp"
#include "orbitals/tiles/surface.hpp"

namespace {

using tessera::Error;
using tessera::kernels::SurfaceView;
using tessera::orbitals::pack_surface;
using tessera::orbitals::SurfaceMesh;
using tessera::orbitals::unpack_surface;

/// A triangle of each lobe; `z` of their upper vertices, which both lobes have at the same places.
SurfaceMesh slab(float low, float high) {
    SurfaceMesh mesh;
    for (const float sign : {1.0F, -1.0F})
        for (const std::array<float, 3>& vertex :
             {std::array{0.0F, 0.0F, low}, std::array{1.0F, 0.0F, low},
              std::array{0.0F, 1.0F, high}, std::array{1.0F, 1.0F, high}}) {
            mesh.vertices.push_back(vertex);
            mesh.normals.push_back({0, 0, sign});
        }
    mesh.triangles = {{0, 1, 2}, {1, 3, 2}, {4, 5, 6}};
    mesh.positive_vertices = 4;
    mesh.positive_triangles = 2;
    return mesh;
}

TEST(Surface, SlabsAreWeldedAtTheirSharedPlaneButLobesAreNot) {
    const SurfaceMesh first = slab(0, 1);
    SurfaceMesh second = slab(1, 2);
    // The upper vertices of the first are (0, 1, 1) and (1, 1, 1): the second starts there.
    for (std::size_t v : {0u, 1u, 4u, 5u}) second.vertices[v][1] = 1;
    const SurfaceMesh whole = tessera::orbitals::weld({first, second});
    EXPECT_EQ(whole.positive_vertices, 6u);
    EXPECT_EQ(whole.vertices.size(), 12u);
    EXPECT_EQ(whole.positive_triangles, 4u);
    ASSERT_EQ(whole.triangles.size(), 6u);
    const auto place = [&](std::size_t triangle, std::size_t corner) {
        return whole.vertices[whole.triangles[triangle][corner]];
    };
    const std::array<const SurfaceMesh*, 2> slabs{&first, &second};
    const std::array<std::array<std::size_t, 2>, 6> source{
        {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {0, 2}, {1, 2}}};
    for (std::size_t t = 0; t < 6; ++t)
        for (std::size_t corner = 0; corner < 3; ++corner) {
            const SurfaceMesh& from = *slabs[source[t][0]];
            EXPECT_EQ(place(t, corner), from.vertices[from.triangles[source[t][1]][corner]]);
            const std::uint32_t vertex = whole.triangles[t][corner];
            EXPECT_EQ(vertex < whole.positive_vertices, t < whole.positive_triangles);
            EXPECT_EQ(whole.normals[vertex][2], t < whole.positive_triangles ? 1.0F : -1.0F);
        }
}

TEST(Surface, UnpackingGivesBackWhatWasPacked) {
    const SurfaceMesh mesh = slab(0, 1);
    int seen = 0;
    const std::vector<double> scalars{1, 2, 3, 4, 5, 6, 7, 8, -1, -2, -3, -4, -5, -6, -7, -8};
    unpack_surface(pack_surface(3, 1, mesh.view(), scalars),
                   [&](std::int32_t frame, std::int32_t item, const SurfaceView& view,
                       std::span<const double> found) {
                       ++seen;
                       EXPECT_TRUE(std::ranges::equal(found, scalars));
                       EXPECT_EQ(frame, 3);
                       EXPECT_EQ(item, 1);
                       EXPECT_TRUE(std::ranges::equal(view.vertices, mesh.vertices));
                       EXPECT_TRUE(std::ranges::equal(view.normals, mesh.normals));
                       EXPECT_TRUE(std::ranges::equal(view.triangles, mesh.triangles));
                       EXPECT_EQ(view.positive_vertices, 4u);
                       EXPECT_EQ(view.positive_triangles, 2u);
                   });
    unpack_surface(pack_surface(4, 0, SurfaceView{}),
                   [&](std::int32_t frame, std::int32_t, const SurfaceView& view,
                       std::span<const double> found) {
                       ++seen;
                       EXPECT_TRUE(found.empty());
                       EXPECT_EQ(frame, 4);
                       EXPECT_TRUE(view.vertices.empty() && view.triangles.empty());
                   });
    EXPECT_EQ(seen, 2);
}

TEST(Surface, BytesThatEndTooSoonAreRefused) {
    const auto bytes = pack_surface(0, 0, slab(0, 1).view());
    for (const std::size_t length : {bytes.size() - 1, std::size_t{10}, std::size_t{0}})
        EXPECT_THROW(unpack_surface(std::span(bytes).first(length), [](auto...) { FAIL(); }), Error)
            << length;
}

}  // namespace
