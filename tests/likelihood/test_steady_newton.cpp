#include "likelihood/fit/steady_newton.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "known_objectives.hpp"
#include "uneven_ranks.hpp"

namespace tessera::likelihood {

namespace {

using test::FunctionObjective;
using test::UnevenRanks;

struct Searched {
    Candidate best;
    std::int64_t points = 0;
};

/// The search alone, without the climbs that follow it. Of every five points one comes back late.
template <class Function>
Searched searched(Function function, const Space& space, int population, int generations,
                  double tolerance = 0) {
    MaximisePlan plan;
    plan.method = Method::newton;
    plan.asynchronous = true;
    plan.population = population;
    plan.generations = generations;
    plan.tolerance = tolerance;
    FunctionObjective objective(function);
    SteadySearch search(space, plan);
    UnevenRanks(objective, 8).carry_out(search, [] {});
    return {search.best(), search.taken()};
}

/// A ridge that is a thousand times as long as wide, across all coordinates, with its top at `top`.
auto ridge(double top) {
    return [=](const Point& u) {
        double mean = 0, value = 0;
        for (const double x : u) mean += (x - top) / static_cast<double>(u.size());
        for (const double x : u) value -= 1e6 * (x - top - mean) * (x - top - mean);
        return Slope{value - mean * mean, {}};
    };
}

/// A space of angles.
class Circles : public Space {
  public:
    using Space::Space;
    bool goes_round(std::size_t) const override { return true; }
    Point image_near(const Point& point, const Point& reference) const override {
        Point image = point;
        for (std::size_t k = 0; k < image.size(); ++k)
            image[k] -= std::round(image[k] - reference[k]);
        return image;
    }
};

}  // namespace

TEST(SteadyNewton, FollowsANarrowRidgeAcrossTheCoordinates) {
    const auto found = searched(ridge(0.3), Space(5), 42, 40);
    EXPECT_NEAR(found.best.value, 0, 1e-10);
    for (const double u : found.best.at) EXPECT_NEAR(u, 0.3, 1e-5);
}

TEST(SteadyNewton, FollowsRosenbrocksValley) {
    const auto found = searched(test::rosenbrock(-2, 2), Space(3), 20, 120);
    for (const double u : found.best.at) EXPECT_NEAR(u, 0.75, 1e-4);
}

TEST(SteadyNewton, EndsWhenThePopulationHasSettled) {
    const auto found = searched(ridge(0.3), Space(5), 42, 1000, 1e-6);
    EXPECT_LT(found.points, 42 * 60);
    EXPECT_NEAR(found.best.value, 0, 1e-6);
}

TEST(SteadyNewton, StopsAtABound) {
    const auto found = searched(
        [](const Point& u) {
            return Slope{-(u[0] + 0.2) * (u[0] + 0.2) - 3 * (u[1] - 0.6) * (u[1] - 0.6), {}};
        },
        Space(2), 20, 40);
    EXPECT_NEAR(found.best.at[0], 0, 1e-5);
    EXPECT_NEAR(found.best.at[1], 0.6, 1e-4);
}

TEST(SteadyNewton, LeavesOutPointsThatAreNotAllowed) {
    const auto found = searched(
        [](const Point& u) {
            if (u[0] + u[1] > 0.9) return Slope{};
            return Slope{-(u[0] - 0.4) * (u[0] - 0.4) - (u[1] - 0.45) * (u[1] - 0.45), {}};
        },
        Space(2), 20, 40);
    EXPECT_NEAR(found.best.at[0], 0.4, 1e-4);
    EXPECT_NEAR(found.best.at[1], 0.45, 1e-4);
}

TEST(SteadyNewton, GoesRoundAnAngle) {
    const auto found = searched(
        [](const Point& u) {
            double value = 0;
            for (const double x : u) value += std::cos(2 * M_PI * (x - 0.01));
            return Slope{value, {}};
        },
        Circles(3), 20, 40);
    for (const double u : found.best.at) EXPECT_NEAR(u - std::round(u - 0.01), 0.01, 1e-5);
}

}  // namespace tessera::likelihood
