// Values of orbitals against the plain sum.
#include <gtest/gtest.h>

#include <cstring>

#include "backends.hpp"
#include "core/error.hpp"
#include "evaluated_orbitals.hpp"
#include "kokkos_kernels/orbitals/orbital_evaluator.hpp"
#include "kokkos_kernels/orbitals/rounding.hpp"
#include "random_orbitals.hpp"

namespace tessera::kernels {
namespace {

using namespace testing;

class OrbitalsOn : public ::testing::TestWithParam<Backend> {};
INSTANTIATE_TEST_SUITE_P(All, OrbitalsOn, ::testing::ValuesIn(backends), backend_name);

/// Largest error and largest |psi| over samples of all orbitals.
template <class Real>
std::pair<double, double> worst_error(Backend backend, OrbitalProblem problem, int every = 17) {
    problem.double_precision = sizeof(Real) == 8;
    const auto evaluator = make_orbital_evaluator(backend);
    evaluator->load(problem);
    const PointBlock block = whole(problem);
    double worst = 0, largest = 0;
    for (int o = 0; o < static_cast<int>(problem.coefficients.size()); ++o) {
        const auto got = evaluate<Real>(*evaluator, block, {o});
        for (const Sampled& want : plain_samples(problem, o, block, every)) {
            const double difference = std::abs(static_cast<double>(got.values[want.at]) - want.psi);
            worst = difference > worst || std::isnan(difference) ? difference : worst;
            largest = std::max(largest, std::abs(want.psi));
        }
    }
    return {worst, largest};
}

TEST_P(OrbitalsOn, DoubleWithoutScreeningIsExact) {
    for (unsigned seed : {1, 2, 3}) {
        OrbitalProblem problem = random_orbitals({.max_l = 5}, seed);
        problem.tolerance = 0;
        const auto [worst, largest] = worst_error<double>(GetParam(), problem);
        EXPECT_LE(worst, 1e-12 * largest) << seed;
    }
}

TEST_P(OrbitalsOn, SingleWithoutScreeningIsNearlyExact) {
    for (unsigned seed : {4, 5, 6}) {
        OrbitalProblem problem = random_orbitals({.max_l = 5, .coefficient = 1e-3}, seed);
        problem.tolerance = 0;
        ASSERT_TRUE(rows_for_double(problem).empty()) << seed;
        const auto [worst, largest] = worst_error<float>(GetParam(), problem);
        EXPECT_LE(worst, 2e-6 * largest) << seed;
    }
}

/// Parts a thousand times larger than their sum, as in high virtual orbitals of large bases.
TEST_P(OrbitalsOn, CancellationDoesNotReachSingleValues) {
    OrbitalProblem problem = random_orbitals({.groups = 20, .orbitals = 5}, 8);
    const std::vector<PrimitiveGroup> groups = problem.groups;
    for (PrimitiveGroup group : groups) {
        group.exponent *= 1.001;
        const int from = group.first;
        group.first = static_cast<int>(problem.coefficients[0].size());
        problem.groups.push_back(group);
        for (auto& row : problem.coefficients)
            for (int m = 0; m < monomials(group.l); ++m) row.push_back(-row[from + m]);
    }
    problem.tolerance = 0;
    EXPECT_EQ(rows_for_double(problem).size(), 5u);
    const auto [worst, largest] = worst_error<float>(GetParam(), problem);
    EXPECT_LE(worst, 2e-7 * largest);
    // Several at once, part of the grid, into memory of the caller's.
    const auto evaluator = make_orbital_evaluator(GetParam());
    evaluator->load(problem);
    const PointBlock block{{3, 5, 7}, {30, 20, 10}};
    const auto all = evaluate<float>(*evaluator, block, {0, 1, 2, 3, 4});
    const auto one = evaluate<float>(*evaluator, block, {3});
    EXPECT_EQ(std::memcmp(one.values.data(), &all.values[3 * block.size()],
                          one.values.size() * sizeof(float)),
              0);
    std::vector<float> density(block.size());
    const double total =
        evaluator->density(block, std::vector{3}, std::vector{1.0}, density.data()).result();
    EXPECT_NEAR(total, one.sums[0].result(), 1e-12 * total);
    for (std::int64_t at = 0; at < block.size(); at += 7)
        EXPECT_NEAR(density[at], one.values[at] * one.values[at], 4e-7 * density[at]);
}

TEST_P(OrbitalsOn, VeryTightAndVeryDiffuseGroups) {
    OrbitalProblem problem = random_orbitals({.groups = 60,
                                              .orbitals = 1,
                                              .low_exponent = 1e-2,
                                              .high_exponent = 1e5,
                                              .coefficient = 1e2},
                                             7);
    problem.grid.shape = {18, 22, 17};
    // A point in each of a few nuclei, where tight functions are not zero.
    for (int g = 0; g < 5; ++g) problem.groups[g].center = problem.grid.point(5 + g, 7 + 3 * g, 9);
    problem.tolerance = 0;
    const auto [worst, largest] = worst_error<double>(GetParam(), problem, 1);
    EXPECT_LE(worst, 1e-12 * largest);
}

/// The bound, not luck: dropped parts never add up to the tolerance.
TEST_P(OrbitalsOn, ScreeningStaysBelowTheTolerance) {
    const auto evaluator = make_orbital_evaluator(GetParam());
    int screened = 0;
    for (unsigned seed = 100; seed < 140; ++seed) {
        GroupRanges ranges;
        ranges.groups = 20 + static_cast<int>(seed % 7) * 60;
        ranges.orbitals = 1 + static_cast<int>(seed % 3);
        ranges.low_exponent = seed % 2 == 0 ? 1e-2 : 0.3;
        ranges.high_exponent = seed % 5 == 0 ? 1e5 : 50;
        ranges.coefficient = std::pow(10.0, static_cast<int>(seed % 9) - 4);
        ranges.box = seed % 4 == 0 ? 30 : 7;
        OrbitalProblem problem = random_orbitals(ranges, seed);
        problem.double_precision = true;
        problem.tolerance = std::pow(10.0, -1.0 - seed % 8);
        evaluator->load(problem);
        const PointBlock block{{3, 1, 2}, {20, 19, 23}};
        for (int o = 0; o < ranges.orbitals; ++o) {
            const auto got = evaluate<double>(*evaluator, block, {o});
            double worst = 0;
            for (const Sampled& want : plain_samples(problem, o, block, 67))
                worst = std::max(worst, std::abs(got.values[want.at] - want.psi));
            EXPECT_LE(worst, problem.tolerance) << seed;
            screened += worst > 1e-3 * problem.tolerance;
        }
    }
    EXPECT_GT(screened, 10) << "nothing was dropped: the test shows nothing";
}

/// r^l exp(-a r^2) grows outwards near the centre: groups whose largest value lies far out.
TEST_P(OrbitalsOn, GroupsThatPeakAwayFromTheirCentreAreKept) {
    OrbitalProblem problem;
    problem.groups = {{{0, 0, -20}, 0.01, 4, 0}};  // peaks at r = sqrt(200) = 14.1 bohr
    problem.coefficients = {std::vector<double>(monomials(4), 0.0)};
    problem.coefficients[0][monomials(4) - 1] = 1e-7;  // z^4: 5.4e-4 at the peak
    problem.grid = {{-2, -2, -9}, {0.5, 0.5, 0.5}, {9, 9, 9}};
    for (double tolerance : {0.0, 1e-6, 1e-4}) {
        problem.tolerance = tolerance;
        const auto [worst, largest] = worst_error<double>(GetParam(), problem, 1);
        EXPECT_GT(largest, 5e-4);
        EXPECT_LE(worst, tolerance + 1e-15);
    }
}

template <class Real>
void expect_same_bits(Backend backend, double spacing) {
    OrbitalProblem problem =
        random_orbitals({.groups = 150, .orbitals = 9, .coefficient = 1e-3}, 11);
    ASSERT_TRUE(rows_for_double(problem).empty());
    problem.double_precision = sizeof(Real) == 8;
    problem.grid.spacing = {spacing, 1.1 * spacing, 0.9 * spacing};
    const auto evaluator = make_orbital_evaluator(backend);
    evaluator->load(problem);
    const std::vector<int> orbitals{0, 1, 2, 3, 4, 5, 6, 7, 8};
    const auto all = evaluate<Real>(*evaluator, whole(problem), orbitals);
    const auto& n = problem.grid.shape;
    for (const PointBlock block :
         {PointBlock{{0, 0, 0}, {37, 35, 20}}, PointBlock{{5, 9, 13}, {17, 3, 30}},
          PointBlock{{36, 34, 42}, {1, 1, 1}}})
        for (int o : {7, 2}) {
            const auto part = evaluate<Real>(*evaluator, block, {o});
            std::int64_t differ = 0;
            for (std::int64_t at = 0; at < block.size(); ++at) {
                const std::int64_t x = block.begin[0] + at % block.shape[0],
                                   y = block.begin[1] + at / block.shape[0] % block.shape[1],
                                   z = block.begin[2] + at / (block.shape[0] * block.shape[1]);
                differ += std::memcmp(&part.values[at],
                                      &all.values[((o * n[2] + z) * n[1] + y) * n[0] + x],
                                      sizeof(Real)) != 0;
            }
            EXPECT_EQ(differ, 0);
        }
    const auto again = evaluate<Real>(*evaluator, whole(problem), {5});
    const auto unseen = evaluator->evaluate(whole(problem), std::vector{5}, nullptr);
    EXPECT_EQ(unseen[0].value, again.sums[0].value);
    EXPECT_EQ(unseen[0].compensation, again.sums[0].compensation);
    // Many orbitals at once take other blocks of threads on a device, whose sums round differently.
    EXPECT_NEAR(again.sums[0].result(), all.sums[5].result(), 1e-14 * all.sums[5].result());
}

TEST_P(OrbitalsOn, BitsDoNotDependOnBlockOrBatch) {
    expect_same_bits<float>(GetParam(), 0.2);
    expect_same_bits<float>(GetParam(), 0.05);
    expect_same_bits<double>(GetParam(), 0.2);
}

TEST_P(OrbitalsOn, GroupsBeyondOnePageAndOneList) {
    OrbitalProblem problem = random_orbitals({.groups = 700,
                                              .orbitals = 5,
                                              .max_l = 3,
                                              .low_exponent = 2,
                                              .high_exponent = 20,
                                              .coefficient = 1e-4},
                                             16);
    ASSERT_TRUE(rows_for_double(problem).empty());
    problem.grid.shape = {18, 10, 9};
    problem.tolerance = 0;
    const auto [worst, largest] = worst_error<double>(GetParam(), problem, 41);
    EXPECT_LE(worst, 1e-12 * largest);
    problem.double_precision = false;
    const auto evaluator = make_orbital_evaluator(GetParam());
    evaluator->load(problem);
    const auto five = evaluate<float>(*evaluator, whole(problem), {0, 1, 2, 3, 4});
    const auto last = evaluate<float>(*evaluator, whole(problem), {4});
    EXPECT_EQ(std::memcmp(last.values.data(), &five.values[4 * problem.grid.size()],
                          last.values.size() * sizeof(float)),
              0);
}

TEST_P(OrbitalsOn, OneEvaluatorTakesFrameAfterFrame) {
    const auto evaluator = make_orbital_evaluator(GetParam());
    for (unsigned seed : {17, 18, 19}) {
        OrbitalProblem problem = random_orbitals({.groups = 20 + 30 * (int(seed) % 3)}, seed);
        problem.double_precision = seed == 18;
        evaluator->load(problem);
        const double sum = evaluator->evaluate(whole(problem), std::vector{0}, nullptr)[0].result();
        const auto fresh = make_orbital_evaluator(GetParam());
        fresh->load(problem);
        EXPECT_EQ(fresh->evaluate(whole(problem), std::vector{0}, nullptr)[0].result(), sum);
    }
    EXPECT_GT(evaluator->kernel_seconds(), 0);
}

TEST_P(OrbitalsOn, DegreesBeyondHAreRefused) {
    OrbitalProblem problem = random_orbitals({}, 20);
    problem.groups.push_back({{0, 0, 0}, 1, 6, 0});
    EXPECT_THROW(make_orbital_evaluator(GetParam())->load(problem), Error);
}

}  // namespace
}  // namespace tessera::kernels
