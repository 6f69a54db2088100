#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "known_posteriors.hpp"
#include "likelihood/sample/ensemble.hpp"
#include "likelihood/sample/nuts_chains.hpp"
#include "sampler_runs.hpp"

namespace tessera::likelihood {

namespace {

using namespace test;

// A covariance with scales from 0.1 to 10 and strong correlations: 1, 2 and 3 are mixed.
const Point mean{1, -20, 0.5, 3};

Matrix covariance() {
    Matrix c(4);
    const double sd[] = {0.1, 10, 1, 2};
    const double correlation[4][4] = {
        {1, 0.9, 0.3, 0}, {0.9, 1, 0.2, 0}, {0.3, 0.2, 1, -0.5}, {0, 0, -0.5, 1}};
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j) c(i, j) = sd[i] * sd[j] * correlation[i][j];
    return c;
}

Matrix inverse(const Matrix& matrix) {
    Matrix result(matrix.n);
    for (std::size_t j = 0; j < matrix.n; ++j) {
        std::vector<double> unit(matrix.n, 0.0);
        unit[j] = 1;
        const auto column = solve_positive(matrix, unit);
        for (std::size_t i = 0; i < matrix.n; ++i) result(i, j) = column->at(i);
    }
    return result;
}

void expect_normal(const Draws& draws) {
    const Matrix c = covariance();
    for (std::size_t i = 0; i < 4; ++i) {
        expect_mean(
            draws, [=](const Point& x) { return x[i]; }, mean[i]);
        for (std::size_t j = 0; j <= i; ++j)
            expect_mean(
                draws, [=](const Point& x) { return (x[i] - mean[i]) * (x[j] - mean[j]); },
                c(i, j));
    }
}

void expect_gumbel(const Draws& draws) {
    constexpr double euler = std::numbers::egamma, zeta3 = 1.2020569031595942;
    for (std::size_t i = 0; i < 2; ++i) {
        expect_mean(
            draws, [=](const Point& x) { return x[i]; }, -euler);
        expect_mean(
            draws, [=](const Point& x) { return std::pow(x[i] + euler, 2); },
            std::numbers::pi * std::numbers::pi / 6);
        expect_mean(
            draws, [=](const Point& x) { return std::pow(x[i] + euler, 3); }, -2 * zeta3);
        // P(e^x < q) = 1 - e^-q
        for (const double q : {0.05, 1.0, 3.0})
            expect_mean(
                draws, [=](const Point& x) { return std::exp(x[i]) < q ? 1.0 : 0.0; },
                -std::expm1(-q));
    }
}

}  // namespace

TEST(Nuts, FindsTheMomentsOfANormalDensity) {
    const auto target = test::normal_density(mean, inverse(covariance()));
    const Draws draws = by_nuts(target, {1.1, -15, 0, 0}, 4, {1000, 2500, 0.8, 10, 3});
    expect_normal(draws);
    for (const auto& chain : draws) {
        double acceptance = 0;
        for (const Draw& draw : chain) {
            EXPECT_FALSE(draw.diverging);
            EXPECT_LT(draw.depth, 6);  // the adapted metric leaves short trajectories
            EXPECT_EQ(draw.step_size, chain.front().step_size);
            acceptance += draw.acceptance / static_cast<double>(chain.size());
        }
        EXPECT_NEAR(acceptance, 0.8, 0.12);
    }
}

TEST(Nuts, IsRightWithoutWarmUp) {
    // The metric is that of a unit normal, the step the default: only slower.
    const auto target = test::normal_density({0, 1}, Matrix(2, 2.0));
    const Draws draws = by_nuts(target, {0, 1}, 4, {0, 4000, 0.8, 10, 5});
    expect_mean(
        draws, [](const Point& x) { return x[0] * x[0]; }, 0.5);
    expect_mean(
        draws, [](const Point& x) { return x[1]; }, 1);
}

TEST(Nuts, FindsTheMomentsOfASkewedDensity) {
    expect_gumbel(by_nuts(test::gumbel_density, {0, 0}, 4, {1000, 5000, 0.9, 10, 1}));
}

TEST(Nuts, DoublesNoMoreThanItMay) {
    const auto target = test::normal_density({0, 0}, Matrix(2, 1e-4));
    const Draws draws = by_nuts(target, {0, 0}, 1, {0, 50, 0.8, 3, 1});
    for (const Draw& draw : draws.front()) {
        EXPECT_LE(draw.depth, 3);
        EXPECT_LE(draw.leaps, 7);
    }
}

TEST(Nuts, RejectedPointsEndATrajectoryAndAreNeverDrawn) {
    // Half a normal density: there is nothing below 0.
    const Target target = [](const Point& x) {
        if (x[0] < 0) return Density{rejected, Point(1, 0.0), rejected};
        return Density{-x[0] * x[0] / 2, Point(1, -x[0]), 0};
    };
    const Draws draws = by_nuts(target, {1}, 4, {500, 3000, 0.9, 10, 2});
    int diverging = 0;
    for (const auto& chain : draws)
        for (const Draw& draw : chain) {
            EXPECT_GE(draw.state.at[0], 0);
            diverging += draw.diverging;
        }
    EXPECT_GT(diverging, 0);
    expect_mean(
        draws, [](const Point& x) { return x[0]; }, std::sqrt(2 / std::numbers::pi));
}

TEST(Nuts, DependsOnTheSeedAlone) {
    const auto one = by_nuts(test::gumbel_density, {0, 0}, 2, {100, 50, 0.8, 10, 7});
    const auto same = by_nuts(test::gumbel_density, {0, 0}, 2, {100, 50, 0.8, 10, 7});
    const auto other = by_nuts(test::gumbel_density, {0, 0}, 2, {100, 50, 0.8, 10, 8});
    EXPECT_EQ(one[1].back().state.at, same[1].back().state.at);
    EXPECT_NE(one[0].back().state.at, one[1].back().state.at);
    EXPECT_NE(one[0].back().state.at, other[0].back().state.at);
}

TEST(Nuts, WindowsDoubleAndFillTheWarmUp) {
    EXPECT_EQ(warmup_windows(1000, 5, 4).begin, 25);
    EXPECT_EQ(warmup_windows(1000, 5, 4).ends, (std::vector<int>{50, 100, 200, 400, 950}));
    // 26 draws of 4 chains, and 104 of one, are four for each dimension.
    EXPECT_EQ(warmup_windows(500, 26, 4).ends, (std::vector<int>{51, 103, 207, 450}));
    EXPECT_EQ(warmup_windows(500, 26, 1).ends, (std::vector<int>{129, 450}));
    EXPECT_EQ(warmup_windows(90, 5, 4).begin, 13);
    EXPECT_EQ(warmup_windows(90, 5, 4).ends, (std::vector<int>{81}));
    EXPECT_TRUE(warmup_windows(10, 40, 4).ends.empty());
    EXPECT_TRUE(warmup_windows(0, 3, 4).ends.empty());
}

TEST(Nuts, ChainsShareOneStepThatHasTheAcceptanceThatIsWanted) {
    // A skewed density, so that the acceptance depends on the place.
    for (const double wanted : {0.7, 0.9}) {
        const Draws draws = by_nuts(test::gumbel_density, Point(6, 0.0), 4, {400, 500, wanted});
        double acceptance = 0;
        for (const auto& chain : draws)
            for (const Draw& draw : chain) {
                EXPECT_EQ(draw.step_size, draws.front().front().step_size);
                acceptance += draw.acceptance / 2000;
            }
        EXPECT_NEAR(acceptance, wanted, 0.05);
    }
}

/// Bends of an axis: equivalent places are 2 pi apart.
Density ring(const Point& x) { return {20 * std::cos(x[0]), {-20 * std::sin(x[0])}, 0}; }

TEST(Nuts, TheMetricComesFromEquivalentPointsOnOneHill) {
    // Chains begin on different turns. Seen from one turn the density has sd 1 / sqrt(20).
    const auto on_one_turn = [](const State& state) {
        return Image{{std::remainder(state.at[0], 2 * std::numbers::pi)}, state.density.gradient};
    };
    std::vector<State> starts;
    for (const double turns : {0.0, 3.0, -5.0, 8.0})
        starts.push_back(state_at(ring, {2 * std::numbers::pi * turns + 0.1}));
    NutsChains chains({300, 500}, starts, Matrix(1, 1.0), on_one_turn);
    while (!chains.over()) {
        std::vector<Density> densities;
        for (const Point& point : chains.proposals()) densities.push_back(ring(point));
        chains.accept(densities);
    }
    double leaps = 0;
    for (const auto& chain : chains.draws())
        for (const Draw& draw : chain) {
            EXPECT_LT(std::abs(draw.state.at[0]), std::numbers::pi);  // all have moved there
            leaps += draw.leaps / 2000.0;
        }
    EXPECT_LT(leaps, 4);  // with a metric of all turns it would take dozens
}

TEST(Ensemble, FindsTheMomentsOfANormalDensity) {
    const auto target = test::normal_density(mean, inverse(covariance()));
    expect_normal(by_ensemble(target, {1, -20, 0.5, 3}, 20, {1000, 5000, 3}));
}

TEST(Ensemble, FindsTheMomentsOfASkewedDensity) {
    expect_gumbel(by_ensemble(test::gumbel_density, {0, 0}, 12, {1000, 6000, 1}));
}

}  // namespace tessera::likelihood
