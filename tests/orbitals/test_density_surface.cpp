// Isosurfaces of densities: numbers of PySCF at points, and what every surface must fulfil.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "orbitals/basis/folded_basis.hpp"
#include "orbitals/tiles/vertex_values.hpp"
#include "support/test_device.hpp"

namespace {

using namespace tessera;
using namespace tessera::orbitals;
using kernels::PointValue;

/// Water of the examples, RHF/STO-3G.
PreparedOrbitals water(double spacing, const std::string& fields = "") {
    OrbitalInput input;
    input.paths = {TESSERA_SOURCE_DIR "/examples/water.molden"};
    input.spacing = spacing * Vec3{1, 1, 1};
    input.padding = 4;
    input.density = true;
    input.isosurface = 0.02;
    input.vertex_fields = fields;
    std::vector<std::string> messages;
    return prepare(input, read_frames(input, messages));
}

/// A point of PySCF 2.14: mol.eval_gto("GTOval_sph_deriv1") of the orbitals that it reads back from
/// the file, rho = sum of occupation * psi^2, and the HOMO.
struct Reference {
    std::array<float, 3> point;
    double density;
    std::array<double, 3> density_gradient;
    double homo;
    std::array<double, 3> homo_gradient;
};

const std::vector<Reference> references{
    {{0.5F, -0.25F, 1.0F},
     0.29314698233474623,
     {-0.25486305234274637, 0.08066650698597944, -0.5792427385224886},
     0.1652739314734003,
     {0.1728434881229605, 0.07885218741192013, -0.3154087496476829}},
    {{0.0F, 1.5F, 0.75F},
     0.2879880652051698,
     {0, -0.3524292819665863, 0.33132644872495715},
     0,
     {0.0965287601390259, 0, 0}},
    {{-1.25F, 0.0F, -0.5F},
     0.21630793775454893,
     {0.6292065951889827, 0, 0.2546877377599594},
     -0.2630225847186728,
     {-0.3542905329346245, 0, -0.22588344028382562}},
    {{0.125F, 0.0625F, 0.03125F},
     31.979840089481275,
     {-426.6332939081482, -214.40943194169435, -105.39583954954674},
     0.3381677231323216,
     {2.4280972715316134, -0.13862225676348633, -0.06931112838174697}},
    {{2.5F, -2.0F, 3.0F},
     0.000143385967685797,
     {-0.0002714993103353719, 6.331800300520414e-05, -0.00021131177560001493},
     0.0002756057903244141,
     {-0.0004139464715262056, 0.0004193510301247809, -0.0006290265451871719}}};

void expect_equal(const PointValue& found, double value, const std::array<double, 3>& gradient) {
    const double size = std::max(
        {std::abs(value), std::abs(gradient[0]), std::abs(gradient[1]), std::abs(gradient[2])});
    EXPECT_NEAR(found.value, value, 1e-12 * size);
    for (std::size_t a = 0; a < 3; ++a) EXPECT_NEAR(found.gradient[a], gradient[a], 1e-12 * size);
}

TEST(VertexValues, AreThoseOfPySCF) {
    const PreparedOrbitals prepared = water(0.4, "density,HOMO,spin-density,gradient-norm");
    const auto evaluator = kernels::make_point_evaluator(test_device().backend);
    const VertexValues values(*evaluator, prepared, 0);
    std::vector<std::array<float, 3>> points;
    for (const Reference& reference : references) points.push_back(reference.point);
    const auto density = values.of_surface(density_item, points);
    const auto scalars = values.scalars(density_item, points);
    ASSERT_EQ(scalars.size(), 4 * points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Reference& reference = references[i];
        expect_equal(density[i], reference.density, reference.density_gradient);
        EXPECT_EQ(scalars[i], density[i].value);
        EXPECT_NEAR(scalars[points.size() + i], reference.homo, 1e-12);
        EXPECT_EQ(scalars[2 * points.size() + i], 0);  // a closed shell
        const auto& g = reference.density_gradient;
        EXPECT_NEAR(scalars[3 * points.size() + i], std::hypot(g[0], g[1], g[2]),
                    1e-12 * std::hypot(g[0], g[1], g[2]));
    }
}

TEST(VertexValues, OfAnOrbitalAreThoseOfPySCF) {
    OrbitalInput input;
    input.paths = {TESSERA_SOURCE_DIR "/examples/water.molden"};
    input.spacing = {0.5, 0.5, 0.5};
    input.isosurface = 0.05;
    input.vertex_fields = "gradient-norm";
    std::vector<std::string> messages;
    const PreparedOrbitals prepared = prepare(input, read_frames(input, messages));
    const auto evaluator = kernels::make_point_evaluator(test_device().backend);
    const VertexValues values(*evaluator, prepared, 0);
    for (const Reference& reference : references) {
        const std::vector<std::array<float, 3>> point{reference.point};
        expect_equal(values.of_surface(0, point)[0], reference.homo, reference.homo_gradient);
        const auto& g = reference.homo_gradient;
        EXPECT_NEAR(values.scalars(0, point)[0], std::hypot(g[0], g[1], g[2]), 1e-12);
    }
}

TEST(VertexValues, NormalsPointToSmallerMagnitudes) {
    const std::vector<PointValue> values{{0.1, {3, 0, 4}}, {-0.1, {3, 0, 4}}, {-0.1, {0, 0, 0}}};
    using Normal = std::array<float, 3>;
    EXPECT_EQ(outward_normals(values, 1),
              (std::vector<Normal>{{-0.6F, 0, -0.8F}, {0.6F, 0, 0.8F}, {0, 0, 1}}));
}

/// The density of water on the grid, in the evaluator.
struct LoadedDensity {
    PreparedOrbitals prepared;
    std::unique_ptr<kernels::OrbitalEvaluator> evaluator =
        kernels::make_orbital_evaluator(test_device().backend);
    std::vector<int> rows;
    std::vector<double> weights;
    bool in_double;

    explicit LoadedDensity(double spacing, bool as_double = true)
        : prepared(water(spacing)), in_double(as_double) {
        const auto& wavefunction = prepared.frames[0].wavefunction;
        std::vector<int> orbitals;
        const auto all = density_weights(wavefunction, false);
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all[i] == 0) continue;
            rows.push_back(static_cast<int>(rows.size()));
            orbitals.push_back(static_cast<int>(i));
            weights.push_back(all[i]);
        }
        kernels::OrbitalProblem problem;
        problem.grid = prepared.grid;
        problem.double_precision = in_double;
        fold_orbitals(wavefunction, orbitals, problem);
        evaluator->load(problem);
    }

    SurfaceMesh surface(double level, std::int64_t planes, std::int64_t at_once) const {
        return make_density_surface(*evaluator, prepared.grid, {rows, weights}, level,
                                    {in_double, planes, at_once});
    }
};

using Corners = std::array<std::array<float, 3>, 3>;
std::multiset<Corners> triangles_of(const SurfaceMesh& mesh) {
    std::multiset<Corners> all;
    for (const auto& t : mesh.triangles)
        all.insert({mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]});
    return all;
}

TEST(DensitySurface, IsTheSameInSlabs) {
    for (const bool in_double : {false, true}) {
        const LoadedDensity density(0.4, in_double);
        const SurfaceMesh whole = density.surface(0.02, 1000, 1000);
        ASSERT_GT(whole.vertices.size(), 400u);
        EXPECT_EQ(whole.positive_vertices, whole.vertices.size());
        EXPECT_TRUE(whole.normals.empty());
        const auto triangles = triangles_of(whole);
        for (const std::int64_t planes : {1, 7, 16}) {
            const SurfaceMesh slabs = density.surface(0.02, planes, planes);
            EXPECT_EQ(slabs.vertices.size(), whole.vertices.size()) << planes;
            EXPECT_EQ(triangles_of(slabs), triangles) << planes;
        }
        const SurfaceMesh retried = density.surface(0.02, 1000, 5);
        EXPECT_EQ(retried.vertices, whole.vertices);
        EXPECT_EQ(retried.triangles, whole.triangles);
    }
}

/// Every directed edge once, and once the other way.
TEST(DensitySurface, IsClosed) {
    const SurfaceMesh mesh = LoadedDensity(0.25).surface(0.02, 16, 16);
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
    for (const auto& t : mesh.triangles)
        for (std::size_t i = 0; i < 3; ++i) ++edges[{t[i], t[(i + 1) % 3]}];
    for (const auto& [edge, count] : edges) {
        EXPECT_EQ(count, 1);
        EXPECT_TRUE(edges.contains({edge.second, edge.first}));
    }
}

/// Linear interpolation along an edge errs by the second derivative times the square of the edge.
TEST(DensitySurface, VerticesLieOnTheSurfaceToTheSquareOfTheSpacing) {
    const auto worst = [](double spacing) {
        const LoadedDensity density(spacing);
        const SurfaceMesh mesh = density.surface(0.02, 1000, 1000);
        const auto evaluator = kernels::make_point_evaluator(test_device().backend);
        double largest = 0;
        for (const PointValue& one :
             VertexValues(*evaluator, density.prepared, 0).of_surface(density_item, mesh.vertices))
            largest = std::max(largest, std::abs(one.value / 0.02 - 1));
        return largest;
    };
    const double coarse = worst(0.4), middle = worst(0.2), fine = worst(0.1);
    EXPECT_LT(coarse, 0.2);
    EXPECT_NEAR(coarse / middle, 4, 1.2);
    EXPECT_NEAR(middle / fine, 4, 0.8);
}

TEST(DensitySurface, AboveTheLargestValueIsEmpty) {
    const SurfaceMesh mesh = LoadedDensity(0.4).surface(1e5, 16, 16);
    EXPECT_TRUE(mesh.vertices.empty() && mesh.triangles.empty());
}

TEST(DensitySurface, SlabsFollowFromTheGridAlone) {
    EXPECT_EQ(choose_density_slabs({512, 512, 700}, false).planes, 128);
    EXPECT_EQ(choose_density_slabs({100, 100, 90}, true).planes, 90);
    EXPECT_EQ(choose_density_slabs({100, 100, 5}, true).planes, 16);
    EXPECT_EQ(choose_density_slabs({8192, 8192, 100}, true).planes, 16);
}

}  // namespace
