#include <gtest/gtest.h>

#include <cmath>

#include "known_posteriors.hpp"
#include "sampler_runs.hpp"

namespace tessera::likelihood {

namespace {

using namespace test;

/// Chains of which half begin on each of two hills.
Draws on_two_hills(const Target& target, const Point& second, const ImageOf& image_of) {
    const Point first(second.size(), 0.0);
    NutsChains all({1000, 3000},
                   {state_at(target, first), state_at(target, second), state_at(target, first),
                    state_at(target, second)},
                   Matrix(second.size(), 1.0), image_of);
    while (!all.over()) {
        std::vector<Density> densities;
        for (const Point& point : all.proposals()) densities.push_back(target(point));
        all.accept(densities);
    }
    return all.draws();
}

int jumps(const Draws& draws) {
    int jumps = 0;
    for (const auto& chain : draws)
        for (const Draw& draw : chain) jumps += draw.jump == JumpOutcome::accepted;
    return jumps;
}

}  // namespace

TEST(Hills, JumpsBetweenHillsThatNoTrajectoryConnects) {
    // 12 standard deviations apart along each of 6 axes: every chain would stay where it began.
    const std::size_t n = 6;
    const Target target = test::two_hills(n, 12, 0.3);
    const Draws draws = on_two_hills(target, Point(n, 12.0), as_it_is);
    EXPECT_GT(jumps(draws), 1200);
    const auto on_second = [](const Point& x) { return x[0] > 6 ? 1.0 : 0.0; };
    expect_mean(draws, on_second, 0.3);
    for (const std::size_t axis : {0, 5}) {
        expect_mean(
            draws, [&](const Point& x) { return on_second(x) * (x[axis] - 12); }, 0);
        expect_mean(
            draws, [&](const Point& x) { return on_second(x) * std::pow(x[axis] - 12, 2); },
            0.3 * 0.25);
        expect_mean(
            draws, [&](const Point& x) { return (1 - on_second(x)) * x[axis] * x[axis]; }, 0.7);
    }
}

TEST(Hills, JumpsAreRightBetweenHillsThatOverlap) {
    // Each hill is estimated with points of the other, and a jump back may go elsewhere.
    const Target target = test::two_hills(2, 4.5, 0.4);
    const Draws draws = on_two_hills(target, {4.5, 4.5}, as_it_is);
    EXPECT_GT(jumps(draws), 1000);
    expect_mean(
        draws, [](const Point& x) { return x[0]; }, 0.4 * 4.5);
    expect_mean(
        draws, [](const Point& x) { return x[0] * x[1]; }, 0.4 * 4.5 * 4.5);
    expect_mean(
        draws, [](const Point& x) { return x[0] * x[0]; }, 0.6 + 0.4 * (4.5 * 4.5 + 0.25));
}

TEST(Hills, DoesNotJumpOnOneHill) {
    EXPECT_EQ(jumps(by_nuts(test::gumbel_density, {0, 0}, 4, {1000, 100, 0.8, 10, 7})), 0);
}

}  // namespace tessera::likelihood
