// The density as Hermite Gaussians: its values, its screening, and PySCF's potentials.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numbers>

#include "folded_value.hpp"
#include "kokkos_kernels/orbitals/esp/potential_evaluator.hpp"
#include "orbitals/basis/hermite_cuts.hpp"
#include "orbitals/basis/hermite_density.hpp"
#include "orbitals/tiles/prepare.hpp"
#include "small_frames.hpp"
#include "support/npz.hpp"
#include "support/test_device.hpp"

namespace {

using tessera::Vec3;
using tessera::io::Wavefunction;
using tessera::kernels::HermiteProduct;
using tessera::kernels::PotentialProblem;
using tessera::orbitals::potential_problem;
using tessera::test::folded_value;

/// Hermite's polynomial H_t times exp(-x^2).
double hermite_function(int t, double x) {
    double before = 0, value = std::exp(-x * x);
    for (int k = 0; k < t; ++k) before = std::exchange(value, 2 * x * value - 2 * k * before);
    return value;
}

/// The density of the electrons, which are negative: a coefficient belongs to
/// p / (2 pi) (2 p)^(-n/2) times the derivative of exp(-p |r - P|^2) by P.
double density_of(const PotentialProblem& problem, Vec3 at) {
    double sum = 0;
    for (const HermiteProduct& product : problem.products) {
        const double p = product.exponent;
        const Vec3 x = std::sqrt(p) * (at - product.center);
        const double* coefficient = problem.coefficients.data() + product.first;
        for (int n = 0; n <= product.degree; ++n)
            for (int t = n; t >= 0; --t)
                for (int u = n - t; u >= 0; --u)
                    sum -= *coefficient++ * p / (2 * std::numbers::pi) * std::exp2(-0.5 * n) *
                           hermite_function(t, x.x) * hermite_function(u, x.y) *
                           hermite_function(n - t - u, x.z);
    }
    return sum;
}

/// All degrees of shells on three atoms, with random orbitals.
Wavefunction three_atoms(bool spherical) {
    Wavefunction frame = tessera::test::two_atoms(spherical);
    frame.nuclei.push_back({"H", 1, {-2.3, 0.4, 0.8}});
    frame.shells.push_back({2, 5, spherical, {0.9}, {1.0}});
    frame.shells.push_back({2, 0, false, {30, 0.2}, {0.4, 0.7}});
    const auto functions = static_cast<std::size_t>(frame.basis_functions());
    std::mt19937 random(12);
    std::uniform_real_distribution<double> uniform(-0.3, 0.3);
    for (auto& orbital : frame.orbitals)
        while (orbital.coefficients.size() < functions)
            orbital.coefficients.push_back(uniform(random));
    return frame;
}

const std::vector<double> weights{2, 1.5, 0, 1, -0.25};

std::vector<Vec3> some_points(int count, double reach) {
    std::mt19937 random(21);
    std::uniform_real_distribution<double> uniform(-reach, reach);
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i)
        points.push_back({uniform(random), uniform(random), uniform(random)});
    return points;
}

std::vector<double> potentials(const PotentialProblem& problem, const std::vector<Vec3>& points) {
    const auto evaluator =
        tessera::kernels::make_potential_evaluator(tessera::test_device().backend);
    evaluator->load(problem);
    return evaluator->evaluate(points);
}

TEST(HermiteDensity, IsTheSumOfSquares) {
    for (const bool spherical : {false, true}) {
        const Wavefunction frame = three_atoms(spherical);
        const PotentialProblem problem = potential_problem(frame, weights, 0);
        EXPECT_EQ(problem.charges.size(), 3u);
        EXPECT_EQ(problem.products.back().degree, 10);
        for (const Vec3 at : some_points(30, 2)) {
            double expected = 0, scale = 0;
            for (std::size_t o = 0; o < weights.size(); ++o) {
                const double psi = folded_value(frame, static_cast<int>(o), at);
                expected += weights[o] * psi * psi;
                scale += std::abs(weights[o]) * psi * psi;
            }
            EXPECT_NEAR(density_of(problem, at), expected, 1e-11 * (scale + 0.1));
        }
    }
}

TEST(HermiteDensity, NoDerivativeOfTheBoysFunctionExceedsItsBound) {
    const auto evaluator =
        tessera::kernels::make_potential_evaluator(tessera::test_device().backend);
    const std::vector<Vec3> points = some_points(400, 4);
    for (int degree = 0; degree <= 10; ++degree)
        for (int t = degree; t >= 0; --t)
            for (int u = degree - t; u >= 0; --u) {
                const int v = degree - t - u;
                PotentialProblem problem;
                problem.products = {{{0, 0, 0}, 0.5, degree, 0}};
                problem.coefficients.resize(
                    static_cast<std::size_t>(tessera::kernels::hermite_count(degree)));
                problem.coefficients[static_cast<std::size_t>(
                    tessera::kernels::hermite_index(t, u, v))] = 1;
                evaluator->load(problem);
                std::vector<double> found = evaluator->evaluate(points);
                found.push_back(evaluator->evaluate(std::vector<Vec3>{{0, 0, 0}})[0]);
                const double bound = tessera::orbitals::largest_hermite(t, u, v);
                for (const double value : found)
                    EXPECT_LE(std::abs(value), bound * (1 + 1e-12)) << t << u << v;
                if (t % 2 == 0 && u % 2 == 0 && v % 2 == 0) {
                    EXPECT_NEAR(std::abs(found.back()), bound, 1e-12 * bound);
                }
            }
}

TEST(HermiteDensity, ScreeningKeepsItsBoundAndLeavesWorkOut) {
    const Wavefunction frame = three_atoms(true);
    const std::vector<Vec3> points = some_points(500, 4);
    const PotentialProblem exact = potential_problem(frame, weights, 0);
    EXPECT_EQ(exact.neglected, 0);
    const std::vector<double> expected = potentials(exact, points);
    std::size_t before = exact.coefficients.size();
    for (const double tolerance : {1e-8, 1e-5, 1e-2, 1.0}) {
        const PotentialProblem screened = potential_problem(frame, weights, tolerance);
        EXPECT_LE(screened.neglected, tolerance);
        EXPECT_LT(screened.coefficients.size(), before);
        before = screened.coefficients.size();
        const std::vector<double> found = potentials(screened, points);
        double worst = 0;
        for (std::size_t i = 0; i < points.size(); ++i)
            worst = std::max(worst, std::abs(found[i] - expected[i]));
        EXPECT_LE(worst, screened.neglected + 1e-12);
        EXPECT_GT(worst, 0);
    }
}

std::filesystem::path shared_orbitals() {
    const char* const given = std::getenv("TESSERA_SHARED_DIR");
    const std::filesystem::path shared = given ? given : TESSERA_SOURCE_DIR "/../shared";
    return shared / "data" / "orbitals";
}

std::filesystem::path own(const char* folder) {
    return std::filesystem::path(TESSERA_SOURCE_DIR) / folder;
}

struct MoldenReference {
    const char* name;
    std::filesystem::path molden;
};

void PrintTo(const MoldenReference& reference, std::ostream* stream) { *stream << reference.name; }

class PotentialReferences : public testing::TestWithParam<MoldenReference> {};

/// Both potentials are 1e-12 of their largest part, so the goal of 1e-8 hartree/e has room.
TEST_P(PotentialReferences, AgreeWithPySCF) {
    const auto& [name, molden] = GetParam();
    if (!std::filesystem::exists(molden)) GTEST_SKIP() << "reference data missing: " << molden;
    const Wavefunction frame = tessera::io::read_wavefunctions(molden.string()).at(0);
    const tessera::test::Npz archive(
        (own("tests/orbitals/references/esp") / (std::string(name) + ".npz")).string());
    const auto places = archive["points_bohr"], values = archive["esp"];
    std::vector<Vec3> points;
    for (std::size_t i = 0; i < values.values.size(); ++i)
        points.push_back(
            {places.values[3 * i], places.values[3 * i + 1], places.values[3 * i + 2]});
    const auto density = tessera::orbitals::density_weights(frame, false);
    const std::vector<double> found = potentials(potential_problem(frame, density, 0), points);
    const std::vector<double> screened =
        potentials(potential_problem(frame, density, 1e-6), points);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double expected = values.values[i];
        EXPECT_NEAR(found[i], expected, 1e-10 * std::max(1.0, std::abs(expected))) << i;
        EXPECT_NEAR(screened[i], found[i], 1e-6) << i;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Files, PotentialReferences,
    testing::Values(
        MoldenReference{"water", own("examples/water.molden")},
        MoldenReference{"o2_uhf_sph", own("tests/orbitals/references/o2_uhf_sph.molden.gz")},
        MoldenReference{"oh_uhf_cart", own("tests/orbitals/references/oh_uhf_cart.molden.gz")},
        MoldenReference{"h2o_ccpvqz_sph", shared_orbitals() / "h2o_ccpvqz_sph.molden.gz"},
        MoldenReference{"h2o_ccpvqz_cart", shared_orbitals() / "h2o_ccpvqz_cart.molden.gz"},
        MoldenReference{"thr_b_631pgs_cart", shared_orbitals() / "thr_b_631pgs_cart.molden.gz"},
        MoldenReference{"c60_b_631gs_cart", shared_orbitals() / "c60_b_631gs_cart.molden.gz"}));

}  // namespace
