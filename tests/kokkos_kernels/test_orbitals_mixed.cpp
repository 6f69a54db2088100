// Single values of a problem in which some orbitals have to be computed in double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "backends.hpp"
#include "kokkos_kernels/orbitals/orbital_evaluator.hpp"
#include "kokkos_kernels/orbitals/rounding.hpp"
#include "random_orbitals.hpp"

namespace tessera::kernels {
namespace {

using namespace testing;

class MixedOrbitalsOn : public ::testing::TestWithParam<Backend> {};
INSTANTIATE_TEST_SUITE_P(All, MixedOrbitalsOn, ::testing::ValuesIn(backends), backend_name);

const PointBlock block{{3, 5, 7}, {30, 20, 10}};

/// Orbitals; parts of those in `rows` are 10^4 times their sum, from pairs of nearly equal groups.
OrbitalProblem with_cancellation(const std::vector<int>& rows, int groups_of_all = 30,
                                 int orbitals = 6) {
    OrbitalProblem problem =
        random_orbitals({.groups = groups_of_all, .orbitals = orbitals, .coefficient = 1e-3}, 51);
    const std::vector<PrimitiveGroup> groups = problem.groups;
    for (PrimitiveGroup group : groups) {
        group.exponent *= 1.0001;
        const int from = group.first;
        group.first = static_cast<int>(problem.coefficients[0].size());
        problem.groups.push_back(group);
        for (int o = 0; o < orbitals; ++o) {
            const bool cancels = std::ranges::count(rows, o) > 0;
            auto& row = problem.coefficients[o];
            for (int m = 0; m < monomials(group.l); ++m) {
                if (cancels) row[from + m] *= 1e4;
                row.push_back(cancels ? -row[from + m] : 0.0);
            }
        }
    }
    problem.tolerance = 0;
    return problem;
}

std::vector<float> values_of(OrbitalEvaluator& evaluator, const std::vector<int>& orbitals) {
    std::vector<float> values(block.size() * orbitals.size(),
                              std::numeric_limits<float>::quiet_NaN());
    evaluator.evaluate(block, orbitals, values.data());
    return values;
}

TEST_P(MixedOrbitalsOn, EachOrbitalIsJudgedByItself) {
    EXPECT_TRUE(rows_for_double(with_cancellation({})).empty());
    EXPECT_EQ(rows_for_double(with_cancellation({1, 2, 4})), (std::vector{1, 2, 4}));
    EXPECT_EQ(rows_for_double(with_cancellation({0, 1, 2, 3, 4, 5})).size(), 6u);
    const auto evaluator = make_orbital_evaluator(GetParam());
    evaluator->load(with_cancellation({1, 2, 4}));
    for (int o = 0; o < 6; ++o)
        EXPECT_EQ(evaluator->computed_in_double(o), o == 1 || o == 2 || o == 4);
}

/// Many orbitals go another way than a few, and more than 64 centres are looked at in turns.
TEST(MixedOrbitals, AreJudgedAmongManyAsAlone) {
    const std::vector<int> difficult{2, 7, 8, 20};
    const OrbitalProblem problem = with_cancellation(difficult, 70, 21);
    EXPECT_EQ(rows_for_double(problem), difficult);
    OrbitalProblem one = problem;
    for (int o = 0; o < 21; ++o) {
        one.coefficients = {problem.coefficients[o]};
        EXPECT_EQ(rows_for_double(one).size(), std::ranges::count(difficult, o)) << o;
    }
    one.coefficients[0][5] = std::numeric_limits<double>::infinity();
    EXPECT_EQ(rows_for_double(one).size(), 1U) << "never in single";
    one.groups.clear();
    EXPECT_EQ(rows_for_double(one).size(), 1U);
}

TEST_P(MixedOrbitalsOn, ValuesAreRightAndDoNotDependOnTheOthers) {
    const OrbitalProblem problem = with_cancellation({1, 2, 4});
    const auto evaluator = make_orbital_evaluator(GetParam());
    evaluator->load(problem);
    const std::vector<int> orbitals{4, 0, 1, 1, 5, 2, 3, 4};
    const auto all = values_of(*evaluator, orbitals);
    for (std::size_t i = 0; i < orbitals.size(); ++i) {
        const float* const values = all.data() + i * block.size();
        double worst = 0, largest = 0;
        for (const Sampled& want : plain_samples(problem, orbitals[i], block, 7)) {
            worst = std::max(worst, std::abs(values[want.at] - want.psi));
            largest = std::max(largest, std::abs(want.psi));
        }
        EXPECT_LE(worst, (evaluator->computed_in_double(orbitals[i]) ? 1e-7 : 2e-6) * largest);
        const auto alone = values_of(*evaluator, {orbitals[i]});
        EXPECT_EQ(std::memcmp(alone.data(), values, alone.size() * sizeof(float)), 0) << i;
    }
    // The others as if no orbital had ever been difficult.
    evaluator->load(with_cancellation({}));
    const auto easy = values_of(*evaluator, {0, 5});
    EXPECT_EQ(std::memcmp(easy.data(), &all[block.size()], block.size() * sizeof(float)), 0);
    EXPECT_EQ(
        std::memcmp(&easy[block.size()], &all[4 * block.size()], block.size() * sizeof(float)), 0);
}

TEST_P(MixedOrbitalsOn, SumsAndDensities) {
    const auto evaluator = make_orbital_evaluator(GetParam());
    evaluator->load(with_cancellation({1, 2, 4}));
    const std::vector<int> orbitals{2, 0, 3, 1};
    const std::vector<double> weights{2, 1, -0.5, 1.5};
    const auto psi = values_of(*evaluator, orbitals);
    const auto sums = evaluator->evaluate(block, orbitals, nullptr);
    std::vector<float> density(block.size());
    const double total = evaluator->density(block, orbitals, weights, density.data()).result();
    EXPECT_EQ(evaluator->density(block, orbitals, weights, nullptr).result(), total);
    double expected_total = 0, worst = 0, largest = 0;
    for (std::int64_t at = 0; at < block.size(); ++at) {
        double expected = 0;
        for (std::size_t i = 0; i < orbitals.size(); ++i)
            expected += weights[i] * std::pow(double{psi[i * block.size() + at]}, 2);
        worst = std::max(worst, std::abs(expected - density[at]));
        largest = std::max(largest, std::abs(expected));
    }
    EXPECT_GT(largest, 0);
    EXPECT_LE(worst, 1e-6 * largest);
    for (std::size_t i = 0; i < orbitals.size(); ++i)
        expected_total += weights[i] * sums[i].result();
    EXPECT_NEAR(total, expected_total, 1e-6 * std::abs(expected_total));
}

TEST_P(MixedOrbitalsOn, FramesOfEitherKindFollowEachOther) {
    const auto evaluator = make_orbital_evaluator(GetParam());
    for (const std::vector<int>& rows :
         {std::vector<int>{}, {0, 1, 2, 3, 4, 5}, {1, 2, 4}, {0, 1, 2, 3, 4, 5}, {}}) {
        const OrbitalProblem problem = with_cancellation(rows);
        evaluator->load(problem);
        const auto fresh = make_orbital_evaluator(GetParam());
        fresh->load(problem);
        EXPECT_EQ(values_of(*evaluator, {0, 1, 2}), values_of(*fresh, {0, 1, 2}));
    }
}

}  // namespace
}  // namespace tessera::kernels
