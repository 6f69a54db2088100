// Surfaces of functions whose area and volume are known, and what every closed mesh must fulfil.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "backends.hpp"
#include "core/cross.hpp"
#include "kokkos_kernels/orbitals/marching_cubes_table.hpp"
#include "kokkos_kernels/orbitals/orbital_evaluator.hpp"
#include "random_orbitals.hpp"

namespace tessera::kernels {
namespace {

using namespace testing;

class IsosurfacesOn : public ::testing::TestWithParam<Backend> {};
INSTANTIATE_TEST_SUITE_P(All, IsosurfacesOn, ::testing::ValuesIn(backends), backend_name);

/// One lobe of an isosurface, with vertices of its own.
struct SurfaceMesh {
    std::vector<std::array<float, 3>> vertices, normals;
    std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// The lobe psi = level; level may be negative.
SurfaceMesh lobe(OrbitalEvaluator& evaluator, const PointBlock& block, int orbital, double level) {
    const SurfaceView both = evaluator.isosurface(block, orbital, std::abs(level));
    EXPECT_EQ(both.vertices.size(), both.normals.size());
    const auto part = [&](auto all, std::size_t positive) {
        const auto half = level > 0 ? all.first(positive) : all.subspan(positive);
        return std::vector(half.begin(), half.end());
    };
    SurfaceMesh mesh{part(both.vertices, both.positive_vertices),
                     part(both.normals, both.positive_vertices),
                     part(both.triangles, both.positive_triangles)};
    const auto shift = static_cast<std::uint32_t>(level > 0 ? 0 : both.positive_vertices);
    for (auto& triangle : mesh.triangles)
        for (std::uint32_t& corner : triangle) {
            corner -= shift;
            EXPECT_LT(corner, mesh.vertices.size());
        }
    return mesh;
}

Vec3 vertex(const SurfaceMesh& mesh, std::uint32_t i) {
    return {mesh.vertices[i][0], mesh.vertices[i][1], mesh.vertices[i][2]};
}

double area(const SurfaceMesh& mesh) {
    double sum = 0;
    for (const auto& t : mesh.triangles)
        sum += norm(cross(vertex(mesh, t[1]) - vertex(mesh, t[0]),
                          vertex(mesh, t[2]) - vertex(mesh, t[0])));
    return sum / 2;
}

/// Positive where triangles turn anticlockwise seen from outside.
double volume(const SurfaceMesh& mesh) {
    double sum = 0;
    for (const auto& t : mesh.triangles)
        sum += dot(vertex(mesh, t[0]), cross(vertex(mesh, t[1]), vertex(mesh, t[2])));
    return sum / 6;
}

/// Every directed edge once, and once the other way.
void expect_watertight(const SurfaceMesh& mesh) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
    for (const auto& t : mesh.triangles)
        for (int i = 0; i < 3; ++i) ++edges[{t[i], t[(i + 1) % 3]}];
    int wrong = 0;
    for (const auto& [edge, count] : edges) {
        const auto back = edges.find({edge.second, edge.first});
        wrong += count != 1 || back == edges.end() || back->second != 1;
    }
    EXPECT_EQ(wrong, 0);
}

/// No vertex twice, none unused.
void expect_welded(const SurfaceMesh& mesh) {
    std::set<std::array<float, 3>> places(mesh.vertices.begin(), mesh.vertices.end());
    EXPECT_EQ(places.size(), mesh.vertices.size());
    std::set<std::uint32_t> used;
    for (const auto& t : mesh.triangles) used.insert(t.begin(), t.end());
    EXPECT_EQ(used.size(), mesh.vertices.size());
    EXPECT_EQ(mesh.normals.size(), mesh.vertices.size());
}

/// exp(-a r^2) around a point off the grid.
OrbitalProblem one_s_function(double sign) {
    OrbitalProblem problem;
    problem.groups = {{{0.013, -0.021, 0.007}, 0.5, 0, 0}};
    problem.coefficients = {{sign}};
    problem.grid = {{-2.5, -2.5, -2.5}, {0.1, 0.1, 0.1}, {51, 51, 51}};
    return problem;
}

TEST_P(IsosurfacesOn, SphereOfAnSFunction) {
    const auto evaluator = make_orbital_evaluator(GetParam());
    for (double sign : {1.0, -1.0}) {
        const OrbitalProblem problem = one_s_function(sign);
        evaluator->load(problem);
        const double level = 0.3, r = std::sqrt(-std::log(level) / 0.5);
        const SurfaceMesh mesh = lobe(*evaluator, whole(problem), 0, sign * level);
        // The polyhedron is inscribed: relative errors of order (h / r)^2.
        EXPECT_NEAR(area(mesh), 4 * M_PI * r * r, 0.005 * 4 * M_PI * r * r);
        EXPECT_NEAR(volume(mesh), 4 * M_PI / 3 * r * r * r, 0.005 * 4 * M_PI / 3 * r * r * r);
        expect_watertight(mesh);
        expect_welded(mesh);
        for (std::uint32_t v = 0; v < mesh.vertices.size(); ++v) {
            const Vec3 out = vertex(mesh, v) - problem.groups[0].center;
            EXPECT_NEAR(norm(out), r, 0.003);
            const Vec3 normal{mesh.normals[v][0], mesh.normals[v][1], mesh.normals[v][2]};
            EXPECT_NEAR(dot(normal, out), norm(out), 1e-5);
        }
        EXPECT_TRUE(lobe(*evaluator, whole(problem), 0, -sign * level).triangles.empty());
    }
}

TEST_P(IsosurfacesOn, TwoLobesOfAPFunction) {
    OrbitalProblem problem = one_s_function(1);
    problem.groups[0].l = 1;
    problem.coefficients = {{0, 0, 0, 1}};  // z exp(-a r^2)
    const auto evaluator = make_orbital_evaluator(GetParam());
    evaluator->load(problem);
    const SurfaceMesh up = lobe(*evaluator, whole(problem), 0, 0.2);
    const SurfaceMesh down = lobe(*evaluator, whole(problem), 0, -0.2);
    for (const SurfaceMesh* mesh : {&up, &down}) {
        expect_watertight(*mesh);
        expect_welded(*mesh);
        EXPECT_GT(volume(*mesh), 0.1);
    }
    for (const auto& v : up.vertices) EXPECT_GT(v[2], 0.007F);
    for (const auto& v : down.vertices) EXPECT_LT(v[2], 0.007F);
    EXPECT_NEAR(volume(up), volume(down), 0.01 * volume(up));
}

/// Noise at the scale of the grid meets all the ambiguous cases.
TEST_P(IsosurfacesOn, NoiseIsWatertight) {
    OrbitalProblem problem = random_orbitals({.groups = 2000,
                                              .orbitals = 1,
                                              .max_l = 2,
                                              .low_exponent = 30,
                                              .high_exponent = 90,
                                              .coefficient = 30,
                                              .box = 4},
                                             21);
    problem.grid = {{-2.5, -2.5, -2.5}, {0.16, 0.16, 0.16}, {32, 32, 32}};
    const auto evaluator = make_orbital_evaluator(GetParam());
    evaluator->load(problem);
    std::vector<float> values(problem.grid.size());
    evaluator->evaluate(whole(problem), std::vector{0}, values.data());
    std::set<int> cases;
    for (int at = 0; at < 31 * 32 * 32; ++at) {
        if (at % 32 == 31 || at / 32 % 32 == 31) continue;
        int bits = 0;
        for (int c = 0; c < 8; ++c)
            bits |= (values[at + (c & 1) + (c >> 1 & 1) * 32 + (c >> 2) * 1024] > 0.5F) << c;
        cases.insert(bits);
    }
    EXPECT_GT(cases.size(), 200U);
    for (double level : {0.5, -0.5}) {
        const SurfaceMesh mesh = lobe(*evaluator, whole(problem), 0, level);
        EXPECT_GT(mesh.triangles.size(), 1000U);
        expect_watertight(mesh);
        expect_welded(mesh);
    }
}

TEST_P(IsosurfacesOn, SameMeshEachTimeAndInDouble) {
    OrbitalProblem problem = random_orbitals({.max_l = 3, .high_exponent = 2}, 22);
    const auto evaluator = make_orbital_evaluator(GetParam());
    evaluator->load(problem);
    const SurfaceMesh one = lobe(*evaluator, whole(problem), 1, 0.3);
    const SurfaceMesh two = lobe(*evaluator, whole(problem), 1, 0.3);
    EXPECT_EQ(one.vertices, two.vertices);
    EXPECT_EQ(one.normals, two.normals);
    EXPECT_EQ(one.triangles, two.triangles);
    problem.double_precision = true;
    evaluator->load(problem);
    const SurfaceMesh fine = lobe(*evaluator, whole(problem), 1, 0.3);
    EXPECT_NEAR(area(fine), area(one), 1e-4 * area(one));
}

/// Normals of a function with every degree: against differences of the plain sum.
TEST_P(IsosurfacesOn, NormalsFollowTheGradient) {
    const OrbitalProblem problem =
        random_orbitals({.max_l = 5, .low_exponent = 0.2, .high_exponent = 2}, 23);
    const auto evaluator = make_orbital_evaluator(GetParam());
    evaluator->load(problem);
    for (double level : {0.4, -0.4}) {
        const SurfaceMesh mesh = lobe(*evaluator, {{3, 4, 5}, {30, 28, 33}}, 0, level);
        ASSERT_GT(mesh.vertices.size(), 100U);
        for (std::uint32_t v = 0; v < mesh.vertices.size(); v += 37) {
            const Vec3 p = vertex(mesh, v);
            const double h = 1e-5;
            const auto slope = [&](Vec3 step) {
                return (plain_sum(problem, 0, p + step) - plain_sum(problem, 0, p - step)) /
                       (2 * h);
            };
            const Vec3 gradient{slope({h, 0, 0}), slope({0, h, 0}), slope({0, 0, h})};
            if (norm(gradient) < 0.05) continue;
            for (int a = 0; a < 3; ++a) {
                const double want = a == 0 ? gradient.x : a == 1 ? gradient.y : gradient.z;
                EXPECT_NEAR(mesh.normals[v][a], (level < 0 ? 1 : -1) * want / norm(gradient), 1e-3);
            }
        }
    }
}

/// The standard table has 820 triangles, at most five a cube.
TEST(MarchingCubesTable, HasTheStandardSize) {
    int triangles = 0;
    for (int count : marching_cubes_table.count) triangles += count;
    EXPECT_EQ(triangles, 820);
    EXPECT_EQ(
        *std::max_element(marching_cubes_table.count.begin(), marching_cubes_table.count.end()), 5);
    EXPECT_EQ(marching_cubes_table.count[0], 0);
    EXPECT_EQ(marching_cubes_table.count[255], 0);
}

}  // namespace
}  // namespace tessera::kernels
