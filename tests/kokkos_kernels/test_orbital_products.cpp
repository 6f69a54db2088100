// The kernel of many orbitals by products. Hosts run its walk with a plain product in the place of
// tensor cores; a CUDA build runs the device's.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "kokkos_kernels/orbitals/grid_evaluator.hpp"
#include "kokkos_kernels/orbitals/rounding.hpp"
#include "random_orbitals.hpp"

namespace tessera::kernels {
namespace {

using namespace testing;

/// Products whatever the number of orbitals.
struct AlwaysProducts : DeviceCuts<float> {
    static constexpr int products_from = 1;
    static constexpr bool products_on_hosts = true;
};
struct ProductsFromFive : AlwaysProducts {
    static constexpr int products_from = 5;
};
#if defined(KOKKOS_ENABLE_CUDA) && defined(__CUDACC__)
template <class Cuts>
using EvaluatorOf = GridEvaluator<float, CudaDevice, Cuts>;
#else
template <class Cuts>
using EvaluatorOf = GridEvaluator<float, OpenMPDevice, Cuts>;
#endif
using Evaluator = EvaluatorOf<AlwaysProducts>;

std::vector<float> values_of(OrbitalValues& evaluator, const PointBlock& block,
                             const std::vector<int>& orbitals) {
    std::vector<float> values(block.size() * orbitals.size(),
                              std::numeric_limits<float>::quiet_NaN());
    evaluator.evaluate(block, orbitals, values.data());
    return values;
}

void expect_plain_sums(const OrbitalProblem& problem, const PointBlock& block,
                       const std::vector<int>& orbitals, double tolerance, int every) {
    ASSERT_TRUE(rows_for_double(problem).empty());
    Evaluator evaluator;
    evaluator.load(problem);
    const auto values = values_of(evaluator, block, orbitals);
    for (std::size_t i = 0; i < orbitals.size(); i += i % 3 + 1) {
        double worst = 0, largest = 0;
        for (const Sampled& want : plain_samples(problem, orbitals[i], block, every)) {
            const double got = values[i * block.size() + want.at];
            const double difference = std::abs(got - want.psi);
            worst = difference > worst || std::isnan(difference) ? difference : worst;
            largest = std::max(largest, std::abs(want.psi));
        }
        EXPECT_GT(largest, 0);
        EXPECT_LE(worst, problem.tolerance + tolerance * largest) << "orbital " << orbitals[i];
    }
}

TEST(OrbitalProducts, AreThePlainSumUpToH) {
    OrbitalProblem problem =
        random_orbitals({.groups = 60, .orbitals = 7, .max_l = 5, .coefficient = 1e-3}, 31);
    problem.tolerance = 0;
    expect_plain_sums(problem, {{1, 2, 3}, {17, 21, 11}}, {6, 0, 3, 3, 1, 2}, 2e-6, 7);
}

TEST(OrbitalProducts, ShellsOfOneDegreeAndZeros) {
    OrbitalProblem problem =
        random_orbitals({.groups = 50, .orbitals = 5, .max_l = 3, .coefficient = 1e-3}, 32);
    // Half of the groups keep their highest degree only, as a d shell without an s or p shell of
    // its exponent.
    for (std::size_t g = 0; g < problem.groups.size(); g += 2) {
        const PrimitiveGroup& group = problem.groups[g];
        for (auto& row : problem.coefficients)
            std::fill_n(row.begin() + group.first, group.l == 0 ? 0 : monomials(group.l - 1), 0.0);
    }
    std::fill(problem.coefficients[4].begin(), problem.coefficients[4].end(), 0.0);
    problem.tolerance = 0;
    const PointBlock block{{0, 0, 0}, {20, 13, 9}};
    expect_plain_sums(problem, block, {0, 1, 2, 3}, 2e-6, 3);
    Evaluator evaluator;
    evaluator.load(problem);
    for (float value : values_of(evaluator, block, {4})) ASSERT_EQ(value, 0);
}

TEST(OrbitalProducts, ManyPagesListsAndPasses) {
    OrbitalProblem problem = random_orbitals({.groups = 900,
                                              .orbitals = 210,
                                              .max_l = 2,
                                              .low_exponent = 2,
                                              .high_exponent = 20,
                                              .coefficient = 1e-4},
                                             33);
    problem.grid = {{-1.5, -1, -1}, {0.21, 0.23, 0.19}, {18, 10, 9}};
    problem.tolerance = 0;
    std::vector<int> all(210);
    for (int o = 0; o < 210; ++o) all[o] = 209 - o;
    expect_plain_sums(problem, {{3, 1, 2}, {11, 6, 5}}, all, 2e-6, 23);
}

TEST(OrbitalProducts, ScreeningStaysBelowTheTolerance) {
    for (unsigned seed : {34, 35, 36}) {
        OrbitalProblem problem = random_orbitals(
            {.groups = 200, .orbitals = 6, .high_exponent = 50, .coefficient = 1e-2, .box = 20},
            seed);
        problem.tolerance = 1e-4;
        expect_plain_sums(problem, {{3, 1, 2}, {20, 19, 13}}, {0, 1, 2, 3, 4, 5}, 2e-6, 61);
    }
}

/// Coefficients and functions of very different sizes: what half precision could not hold.
TEST(OrbitalProducts, WideRangesOfNumbers) {
    OrbitalProblem problem = random_orbitals({.groups = 40,
                                              .orbitals = 3,
                                              .max_l = 3,
                                              .low_exponent = 1e-2,
                                              .high_exponent = 1e5,
                                              .coefficient = 1e-4},
                                             37);
    for (std::size_t o = 0; o < 3; ++o)
        for (double& c : problem.coefficients[o]) c *= std::pow(1e-7, static_cast<double>(o));
    for (int g = 0; g < 5; ++g) problem.groups[g].center = problem.grid.point(5 + g, 7 + g, 4);
    problem.tolerance = 0;
    expect_plain_sums(problem, {{0, 0, 0}, {24, 20, 8}}, {0, 1, 2}, 2e-6, 1);
}

/// Blocks begin and end anywhere in the padded rows and in the fours that are written together.
TEST(OrbitalProducts, BitsDoNotDependOnBlockOrBatch) {
    for (double spacing : {0.2, 0.05}) {
        OrbitalProblem problem =
            random_orbitals({.groups = 150, .orbitals = 9, .coefficient = 1e-3}, 38);
        problem.grid.spacing = {spacing, 1.1 * spacing, 0.9 * spacing};
        problem.grid.shape = {36, 19, 18};
        Evaluator evaluator;
        evaluator.load(problem);
        const auto all = values_of(evaluator, whole(problem), {8, 0, 1, 2, 3, 4, 5, 6, 7});
        const auto& n = problem.grid.shape;
        for (const PointBlock block :
             {PointBlock{{5, 9, 3}, {17, 3, 14}}, PointBlock{{33, 18, 17}, {1, 1, 1}},
              PointBlock{{1, 0, 0}, {35, 19, 18}}, PointBlock{{4, 2, 1}, {28, 17, 17}}}) {
            const auto part = values_of(evaluator, block, {6});
            std::int64_t differ = 0;
            for (std::int64_t at = 0; at < block.size(); ++at) {
                const std::int64_t x = block.begin[0] + at % block.shape[0],
                                   y = block.begin[1] + at / block.shape[0] % block.shape[1],
                                   z = block.begin[2] + at / (block.shape[0] * block.shape[1]);
                differ += std::memcmp(&part[at], &all[((7 * n[2] + z) * n[1] + y) * n[0] + x],
                                      sizeof(float)) != 0;
            }
            EXPECT_EQ(differ, 0);
        }
    }
}

/// Planes whose places are no ints go to the other kernel.
TEST(OrbitalProducts, KnowTheirLargestPlane) {
    using Kernel = EvaluateProducts<LargeTile, ManyProductsCut>;
    EXPECT_TRUE(Kernel::can({{0, 0, 0}, {60000, 60000, 1}}));
    EXPECT_FALSE(Kernel::can({{0, 0, 0}, {70000, 70000, 1}}));
}

TEST(OrbitalProducts, SumsOfSquares) {
    OrbitalProblem problem = random_orbitals({.orbitals = 5, .coefficient = 1e-3}, 39);
    Evaluator evaluator;
    evaluator.load(problem);
    for (const PointBlock block :
         {PointBlock{{1, 2, 3}, {30, 21, 19}}, PointBlock{{4, 2, 3}, {28, 21, 19}}}) {
        std::vector<float> values(5 * block.size());
        const auto sums = evaluator.evaluate(block, std::vector{4, 0, 1, 2, 3}, values.data());
        const auto unseen = evaluator.evaluate(block, std::vector{4, 0, 1, 2, 3}, nullptr);
        for (int o = 0; o < 5; ++o) {
            double sum = 0;
            for (std::int64_t at = 0; at < block.size(); ++at)
                sum += std::pow(static_cast<double>(values[o * block.size() + at]), 2);
            EXPECT_NEAR(sums[o].result(), sum, 1e-13 * sum);
            EXPECT_EQ(unseen[o].result(), sums[o].result());
        }
    }
}

TEST(OrbitalProducts, PartsOfACallHaveTheBitsOfTheWhole) {
    EvaluatorOf<ProductsFromFive> evaluator;
    const OrbitalProblem problem = random_orbitals({.orbitals = 5, .coefficient = 1e-3}, 41);
    evaluator.load(problem);
    const PointBlock block{{1, 2, 3}, {30, 21, 19}};
    const auto all = std::vector{0, 1, 2, 3, 4};
    std::vector<float> values(5 * block.size()), one(block.size()), apart(block.size());
    const auto sums = evaluator.evaluate(block, all, values.data());
    bool rounds_differently = false;
    for (int o = 0; o < 5; ++o) {
        const auto sum = evaluator.evaluate(block, std::span(&all[o], 1), one.data(), 5);
        EXPECT_EQ(sum[0].result(), sums[o].result());
        EXPECT_TRUE(std::equal(one.begin(), one.end(), values.begin() + o * block.size()));
        evaluator.evaluate(block, std::span(&all[o], 1), apart.data());
        rounds_differently = rounds_differently || apart != one;
    }
    EXPECT_TRUE(rounds_differently) << "the two kernels cannot be told apart: nothing was tested";
}

TEST(OrbitalProducts, InfinityFailsTheTile) {
    OrbitalProblem problem = random_orbitals({.orbitals = 3, .coefficient = 1e-3}, 40);
    problem.coefficients[1][0] = std::numeric_limits<double>::infinity();
    Evaluator evaluator;
    evaluator.load(problem);
    EXPECT_NO_THROW(evaluator.evaluate(whole(problem), std::vector{0, 2}, nullptr));
    EXPECT_THROW(evaluator.evaluate(whole(problem), std::vector{0, 1, 2}, nullptr), TileFailure);
}

}  // namespace
}  // namespace tessera::kernels
