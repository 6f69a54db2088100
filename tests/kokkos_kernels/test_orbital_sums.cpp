// Sums of squares, norms and densities of orbitals, and values that are zero or infinite.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "backends.hpp"
#include "core/error.hpp"
#include "evaluated_orbitals.hpp"
#include "kokkos_kernels/orbitals/orbital_evaluator.hpp"
#include "kokkos_kernels/orbitals/rounding.hpp"
#include "random_orbitals.hpp"

namespace tessera::kernels {
namespace {

using namespace testing;

class OrbitalSumsOn : public ::testing::TestWithParam<Backend> {};
INSTANTIATE_TEST_SUITE_P(All, OrbitalSumsOn, ::testing::ValuesIn(backends), backend_name);

TEST_P(OrbitalSumsOn, SumsOfSquares) {
    OrbitalProblem problem = random_orbitals({.orbitals = 5, .coefficient = 1e-3}, 12);
    ASSERT_TRUE(rows_for_double(problem).empty());
    const auto evaluator = make_orbital_evaluator(GetParam());
    evaluator->load(problem);
    const auto got = evaluate<float>(*evaluator, {{1, 2, 3}, {30, 21, 19}}, {4, 0, 1, 2, 3});
    for (int o = 0; o < 5; ++o) {
        double sum = 0;
        for (int at = 0; at < 30 * 21 * 19; ++at)
            sum += std::pow(static_cast<double>(got.values[o * 30 * 21 * 19 + at]), 2);
        EXPECT_NEAR(got.sums[o].result(), sum, 1e-13 * sum);
    }
}

/// A normalised s function: the sum over a wide grid times the cell volume is 1 far beyond rounding
/// of single values (the trapezoidal rule converges exponentially).
TEST_P(OrbitalSumsOn, NormOfAnSFunctionIsOne) {
    OrbitalProblem problem;
    problem.groups = {{{0.01, 0.02, -0.03}, 0.5, 0, 0}};
    problem.coefficients = {{std::pow(2 * 0.5 / M_PI, 0.75)}};
    problem.grid = {{-8, -8, -8}, {0.25, 0.25, 0.25}, {65, 65, 65}};
    problem.double_precision = true;
    problem.tolerance = 1e-14;
    const auto evaluator = make_orbital_evaluator(GetParam());
    evaluator->load(problem);
    const auto sums = evaluator->evaluate(whole(problem), std::vector{0}, nullptr);
    EXPECT_NEAR(sums[0].result() * std::pow(0.25, 3), 1, 1e-12);
}

TEST_P(OrbitalSumsOn, DensityIsTheWeightedSumOfSquares) {
    OrbitalProblem problem = random_orbitals({.groups = 60, .orbitals = 6}, 13);
    problem.double_precision = true;
    const auto evaluator = make_orbital_evaluator(GetParam());
    evaluator->load(problem);
    const PointBlock block{{2, 0, 5}, {31, 33, 29}};
    const std::vector<int> orbitals{5, 1, 3};
    const std::vector<double> weights{2, 1, -0.5};
    const auto psi = evaluate<double>(*evaluator, block, orbitals);
    std::vector<double> density(block.size());
    const auto sum = evaluator->density(block, orbitals, weights, density.data());
    double total = 0, largest = 0, worst = 0;
    for (std::int64_t at = 0; at < block.size(); ++at) {
        double want = 0;
        for (int i = 0; i < 3; ++i)
            want += weights[i] * std::pow(psi.values[i * block.size() + at], 2);
        worst = std::max(worst, std::abs(want - density[at]));
        largest = std::max(largest, std::abs(want));
        total += want;
    }
    EXPECT_LE(worst, 1e-14 * largest);
    EXPECT_NEAR(sum.result(), total, 1e-12 * std::abs(total));
}

TEST_P(OrbitalSumsOn, AnOrbitalOfZeros) {
    OrbitalProblem problem = random_orbitals({}, 14);
    for (double& c : problem.coefficients[1]) c = 0;
    const auto evaluator = make_orbital_evaluator(GetParam());
    evaluator->load(problem);
    const auto got = evaluate<float>(*evaluator, whole(problem), {1});
    for (float value : got.values) ASSERT_EQ(value, 0);
    EXPECT_EQ(got.sums[0].result(), 0);
}

TEST_P(OrbitalSumsOn, OverflowFailsTheTile) {
    OrbitalProblem problem = random_orbitals({}, 15);
    for (double& c : problem.coefficients[1]) c = 1e38;
    problem.coefficients[1][0] = std::numeric_limits<double>::infinity();
    const auto evaluator = make_orbital_evaluator(GetParam());
    evaluator->load(problem);
    std::vector<float> out(problem.grid.size());
    EXPECT_NO_THROW(evaluator->evaluate(whole(problem), std::vector{0}, out.data()));
    try {
        evaluator->evaluate(whole(problem), std::vector{1}, out.data());
        FAIL() << "infinite values passed";
    } catch (const TileFailure& failure) {
        EXPECT_EQ(failure.reason(), TileFailure::Reason::not_finite);
    }
    EXPECT_THROW(evaluator->density(whole(problem), std::vector{1}, std::vector{1.0}, nullptr),
                 TileFailure);
}

}  // namespace
}  // namespace tessera::kernels
