#include "orbitals/result/grid_values.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>

#include "io/hdf5/h5.hpp"
#include "io/temporary_folder.hpp"
#include "orbitals/result/grid_surface.hpp"

namespace {

using namespace tessera;

using Point = std::array<float, 3>;

/// A file with one grid of a function.
class StoredFunction {
  public:
    template <class Function>
    StoredFunction(const UniformGrid& grid, Function f)
        : file_(io::h5::File::create(folder_ / "f.h5")) {
        std::vector<double> values;
        for (std::int64_t k = 0; k < grid.shape[2]; ++k)
            for (std::int64_t j = 0; j < grid.shape[1]; ++j)
                for (std::int64_t i = 0; i < grid.shape[0]; ++i)
                    values.push_back(f(grid.point(i, j, k)));
        file_.root().write("values", values,
                           {1, static_cast<hsize_t>(grid.shape[2]),
                            static_cast<hsize_t>(grid.shape[1]),
                            static_cast<hsize_t>(grid.shape[0])});
    }
    io::h5::Dataset dataset() { return file_.root().open_dataset("values"); }

  private:
    test::TemporaryFolder folder_;
    io::h5::File file_;
};

TEST(GridValues, ProductsOfCoordinatesAreExactEverywhereInTheBox) {
    const UniformGrid grid{{-1, 2, 0.5}, {0.5, 0.25, 0.125}, {5, 4, 6}};
    const auto f = [](Vec3 p) { return 3 - p.x + 2 * p.y * p.z + p.x * p.y * p.z; };
    StoredFunction stored(grid, f);
    const std::vector<Point> points{
        {-1, 2, 0.5F},      {1, 2.75F, 1.125F}, {-0.75F, 2.125F, 0.5625F},
        {0.3F, 2.2F, 1.1F}, {-1, 2.3F, 0.625F}, {0.99F, 2.74F, 1.12F}};
    const auto found = orbitals::values_at(stored.dataset(), 0, grid, points);
    ASSERT_EQ(found.size(), points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3 p{points[i][0], points[i][1], points[i][2]};
        EXPECT_NEAR(found[i], f(p), 1e-12) << i;
    }
}

TEST(GridValues, ThePartOfASphereBetweenTwoPlanesIsKept) {
    const UniformGrid grid{{-3, -3, -3}, {0.2, 0.2, 0.2}, {31, 31, 31}};
    StoredFunction stored(grid, [](Vec3 p) { return 5 - norm(p); });
    StoredFunction height(grid, [](Vec3 p) { return p.z; });
    io::Mesh sphere = orbitals::surface_of_grid(stored.dataset(), 0, grid, 3);
    const auto heights = orbitals::values_at(height.dataset(), 0, grid, sphere.vertices);
    sphere.fields.push_back({"height", heights, "bohr"});
    ASSERT_GT(sphere.triangles.size(), 1000U);
    for (std::size_t v = 0; v < heights.size(); ++v)
        EXPECT_NEAR(heights[v], sphere.vertices[v][2], 1e-6);

    const io::Mesh belt = orbitals::part_within(sphere, heights, -0.5, 1);
    io::check_mesh("belt", belt);
    std::size_t expected = 0;
    for (const auto& corners : sphere.triangles) {
        bool inside = true;
        for (const std::uint32_t corner : corners)
            inside = inside && heights[corner] >= -0.5 && heights[corner] <= 1;
        expected += inside ? 1 : 0;
    }
    EXPECT_EQ(belt.triangles.size(), expected);
    EXPECT_EQ(belt.positive_triangles, expected);
    EXPECT_LT(belt.vertices.size(), sphere.vertices.size());
    ASSERT_EQ(belt.fields.size(), 1U);
    EXPECT_EQ(belt.fields[0].name, "height");
    EXPECT_EQ(belt.fields[0].units, "bohr");
    std::vector<bool> used(belt.vertices.size());
    for (const auto& corners : belt.triangles)
        for (const std::uint32_t corner : corners) used[corner] = true;
    for (std::size_t v = 0; v < used.size(); ++v) {
        EXPECT_TRUE(used[v]) << v;
        EXPECT_NEAR(belt.fields[0].values[v], belt.vertices[v][2], 1e-6);
        EXPECT_NEAR(std::hypot(belt.vertices[v][0], belt.vertices[v][1], belt.vertices[v][2]), 2,
                    0.01);
    }
}

TEST(GridValues, ARangeWithoutValuesLeavesNothing) {
    io::Mesh mesh;
    mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    mesh.normals = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
    mesh.triangles = {{0, 1, 2}};
    const std::vector<double> values{1, 2, 3};
    const io::Mesh nothing = orbitals::part_within(mesh, values, 1.5, 3);
    EXPECT_TRUE(nothing.vertices.empty());
    EXPECT_TRUE(nothing.triangles.empty());
    EXPECT_EQ(orbitals::part_within(mesh, values, 1, 3).triangles.size(), 1U);
}

}  // namespace
