// Surfaces between the device and the result file: joined slabs, spools.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "core/error.hpp"
#include "io/temporary_folder.hpp"
#include "orbitals/surface_spool.hpp"

namespace {

using tessera::Error;
using tessera::kernels::SurfaceView;
using tessera::orbitals::read_spool;
using tessera::orbitals::SurfaceMesh;
using tessera::orbitals::SurfaceSpool;

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

TEST(Surface, ASpoolGivesBackWhatItTook) {
    const tessera::test::TemporaryFolder folder;
    const std::string path = folder / "run.surfaces0";
    const SurfaceMesh mesh = slab(0, 1);
    std::vector<std::array<std::int32_t, 2>> seen;
    {
        SurfaceSpool spool(path);
        spool.append(3, 1, mesh.view());
        spool.append(4, 0, SurfaceView{});
        spool.finish();
        read_spool(path, [&](std::int32_t frame, std::int32_t item, const SurfaceView& view) {
            seen.push_back({frame, item});
            EXPECT_EQ(view.vertices.size(), frame == 3 ? 8u : 0u);
            if (frame != 3) return;
            EXPECT_TRUE(std::ranges::equal(view.vertices, mesh.vertices));
            EXPECT_TRUE(std::ranges::equal(view.normals, mesh.normals));
            EXPECT_TRUE(std::ranges::equal(view.triangles, mesh.triangles));
            EXPECT_EQ(view.positive_vertices, 4u);
            EXPECT_EQ(view.positive_triangles, 2u);
        });
    }
    EXPECT_EQ(seen, (std::vector<std::array<std::int32_t, 2>>{{3, 1}, {4, 0}}));
    EXPECT_FALSE(std::filesystem::exists(path)) << "a spool goes with its rank";
    read_spool(path, [](auto...) { FAIL() << "a rank without surfaces has no spool"; });
}

TEST(Surface, ATruncatedSpoolIsRefused) {
    const tessera::test::TemporaryFolder folder;
    const std::string path = folder / "run.surfaces0";
    SurfaceSpool spool(path);
    spool.append(0, 0, slab(0, 1).view());
    spool.finish();
    std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
    EXPECT_THROW(read_spool(path, [](auto...) {}), Error);
}

}  // namespace
