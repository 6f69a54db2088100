#include "likelihood/fit/profile_likelihood.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "known_objectives.hpp"
#include "likelihood/fit/quadratic_check.hpp"

namespace tessera::likelihood {

namespace {

/// -(x^2 + z^2) / 2, where z = y + 0.7 x^2 + 0.2 x, and x and y are (u - 0.5) / 0.05. The profile
/// of x is -x^2 / 2, and its maximum over y lies on a parabola.
Slope banana(const Point& u) {
    const double x = (u[0] - 0.5) / 0.05, z = (u[1] - 0.5) / 0.05 + 0.7 * x * x + 0.2 * x;
    return {-(x * x + z * z) / 2, {-(x + (1.4 * x + 0.2) * z) / 0.05, -z / 0.05}};
}

/// The drop of the profile of y, by brute force over x.
double banana_drop(double y) {
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i <= 40000; ++i) {
        const double x = -4 + i * 2e-4, z = y + 0.7 * x * x + 0.2 * x;
        least = std::min(least, (x * x + z * z) / 2);
    }
    return least;
}

/// The log likelihood of n events with mean n u / 0.25, a Poisson law, up to a constant. The second
/// coordinate is a shift along the first one.
auto poisson(double n) {
    return [=](const Point& u) {
        const double mean = n * u[0] / 0.25, off = (u[1] - 0.4 - 0.3 * u[0]) / 0.05;
        const double value = n * std::log(mean / n) - mean + n - off * off / 2;
        return Slope{value, {n / u[0] - n / 0.25 + 0.3 * off / 0.05, -off / 0.05}};
    };
}

MaximisePlan small_plan(double unit = 1) {
    MaximisePlan plan;
    plan.population = 30;
    plan.generations = 20;
    plan.log_likelihood_unit = unit;
    return plan;
}

/// sqrt(2 drop) of the Poisson profile at a mean, by bisection where it is `target`.
double poisson_end(double n, double target, double inside, double outside) {
    for (int step = 0; step < 200; ++step) {
        const double mean = (inside + outside) / 2;
        const double drop = mean - n - n * std::log(mean / n);
        (std::sqrt(2 * drop) < target ? inside : outside) = mean;
    }
    return inside;
}

}  // namespace

TEST(Profile, FollowsACurvedRidge) {
    test::FunctionObjective objective(banana);
    const auto plan = small_plan();
    const Maximum maximum = maximise(objective, Space(2), plan);
    ASSERT_TRUE(maximum.converged);
    const Profiles found = profile_likelihood(objective, Space(2), plan, maximum, {0, 1});
    ASSERT_FALSE(found.better);
    const Profile& x = found.of.at(0);
    for (std::size_t level = 0; level < 2; ++level) {
        const double errors = level == 0 ? 1 : 2;
        EXPECT_EQ(x.lower[level].kind, EndKind::found);
        EXPECT_NEAR(x.lower[level].coordinate, 0.5 - 0.05 * errors, 3e-4);
        EXPECT_NEAR(x.upper[level].coordinate, 0.5 + 0.05 * errors, 3e-4);
    }
    for (const ProfilePoint& point : x.points) {  // the others are at the maximum
        const double at = (point.coordinate - 0.5) / 0.05;
        EXPECT_NEAR(point.drop, at * at / 2, 1e-4);
        EXPECT_NEAR(point.at[1], 0.5 - 0.05 * (0.7 * at * at + 0.2 * at), 1e-3);
    }
    EXPECT_TRUE(std::ranges::is_sorted(x.points, {}, &ProfilePoint::coordinate));
    // Below, the profile of y follows the ridge, far beyond the standard error.
    const Profile& y = found.of.at(1);
    for (std::size_t level = 0; level < 2; ++level)
        for (const ProfileEnd& end : {y.lower[level], y.upper[level]}) {
            EXPECT_EQ(end.kind, EndKind::found);
            EXPECT_NEAR(banana_drop((end.coordinate - 0.5) / 0.05), profile_levels[level],
                        0.01 * profile_levels[level]);
        }
    EXPECT_LT(y.lower[1].coordinate, 0.5 - 0.05 * 2.5);
}

TEST(Profile, OfAPoissonLawIsAsymmetric) {
    const double n = 9;
    test::FunctionObjective objective(poisson(n));
    const auto plan = small_plan();
    const Maximum maximum = maximise(objective, Space(2), plan);
    const Profiles found = profile_likelihood(objective, Space(2), plan, maximum, {0});
    const Profile& profile = found.of.at(0);
    for (std::size_t level = 0; level < 2; ++level) {
        const double target = level == 0 ? 1 : 2;
        EXPECT_NEAR(profile.lower[level].coordinate * n / 0.25, poisson_end(n, target, n, 1e-9),
                    0.02);
        EXPECT_NEAR(profile.upper[level].coordinate * n / 0.25, poisson_end(n, target, n, 100),
                    0.02);
    }
    // The well-known numbers for nine events: 9 - 2.68 and 9 + 3.34.
    EXPECT_NEAR(profile.lower[0].coordinate * n / 0.25, 6.33, 0.03);
    EXPECT_NEAR(profile.upper[0].coordinate * n / 0.25, 12.33, 0.03);
    const auto drops = drops_around(objective, Space(2), maximum, 1);
    EXPECT_FALSE(is_quadratic(drops[0]));
    EXPECT_TRUE(is_quadratic(drops[1])) << drops[1][0] << " " << drops[1][3];
}

TEST(Profile, EndsAtABound) {
    test::FunctionObjective objective([](const Point& u) {
        const double x = (u[0] - 0.95) / 0.1, y = (u[1] + 0.01) / 0.1;  // y rises to its bound
        return Slope{-(x * x + y * y) / 2, {-x / 0.1, -y / 0.1}};
    });
    const auto plan = small_plan();
    const Maximum maximum = maximise(objective, Space(2), plan);
    const Profiles found = profile_likelihood(objective, Space(2), plan, maximum, {0, 1});
    EXPECT_EQ(found.of[0].upper[0].kind, EndKind::at_bound);
    EXPECT_EQ(found.of[0].upper[1].coordinate, 1);
    EXPECT_NEAR(found.of[0].lower[0].coordinate, 0.85, 1e-3);
    EXPECT_EQ(found.of[1].lower[0].kind, EndKind::at_bound);
    EXPECT_EQ(found.of[1].lower[0].coordinate, 0);
    // ((y + 0.01) / 0.1)^2 - 0.1^2 = 1 or 4
    EXPECT_NEAR(found.of[1].upper[0].coordinate, 0.1 * std::sqrt(1.01) - 0.01, 1e-3);
    EXPECT_NEAR(found.of[1].upper[1].coordinate, 0.1 * std::sqrt(4.01) - 0.01, 1e-3);
}

TEST(Profile, NoticesAHigherMaximum) {
    // Two hills along x; the fit is held at the lower one.
    test::FunctionObjective objective([](const Point& u) {
        const double a = (u[0] - 0.3) / 0.05, b = (u[0] - 0.45) / 0.05;
        const double first = std::exp(-a * a / 2), second = 20 * std::exp(-b * b / 2);
        const double sum = first + second + 1e-9;
        return Slope{std::log(sum), {-(first * a + second * b) / 0.05 / sum}};
    });
    MaximisePlan plan = small_plan();
    plan.method = Method::quasi_newton;
    plan.population = plan.generations = 1;
    plan.given = {{0.2}};
    Maximum low = maximise(objective, Space(1), plan);
    low.best = {{0.3}, std::log(1.0 + 20 * std::exp(-4.5))};
    const Profiles found = profile_likelihood(objective, Space(1), plan, low, {0});
    EXPECT_TRUE(found.of.empty());
    ASSERT_TRUE(found.better);
    EXPECT_GT(found.better->value, low.best.value + 0.01);
}

TEST(QuadraticCheck, DropsOfAParaboloidAreThoseOfItsErrors) {
    test::FunctionObjective objective([](const Point& u) {
        const double x = u[0] - 0.4, y = u[1] - 0.6;
        return Slope{-(3 * x * x + 2 * x * y + 2 * y * y) / 2, {-3 * x - y, -x - 2 * y}};
    });
    const double unit = 2000;
    const Maximum maximum = maximise(objective, Space(2), small_plan(unit));
    ASSERT_TRUE(maximum.converged);
    const auto drops = drops_around(objective, Space(2), maximum, unit);
    ASSERT_EQ(drops.size(), 2U);
    for (const Drops& one : drops) {
        EXPECT_NEAR(one[0], 2, 0.01);
        EXPECT_NEAR(one[1], 0.5, 0.01);
        EXPECT_NEAR(one[2], 0.5, 0.01);
        EXPECT_NEAR(one[3], 2, 0.01);
        EXPECT_TRUE(is_quadratic(one));
    }
    EXPECT_EQ(checked_points(drops), 8);
}

TEST(QuadraticCheck, SeesASkewAndABound) {
    EXPECT_TRUE(is_quadratic({2, 0.5, 0.5, 2}));
    EXPECT_TRUE(is_quadratic({2.4, 0.55, 0.45, 1.6}));
    EXPECT_FALSE(is_quadratic({2.6, 0.5, 0.5, 2}));
    EXPECT_FALSE(is_quadratic({2, 0.5, 0.3, 2}));
    EXPECT_FALSE(is_quadratic({2, 0.5, 0.5, std::numeric_limits<double>::quiet_NaN()}));
    EXPECT_FALSE(is_quadratic({std::numeric_limits<double>::infinity(), 0.5, 0.5, 2}));
    // A maximum one and a half standard errors below its bound.
    test::FunctionObjective objective([](const Point& u) {
        const double x = (u[0] - 0.85) / 0.1;
        return Slope{-x * x / 2, {-x / 0.1}};
    });
    const auto drops =
        drops_around(objective, Space(1), maximise(objective, Space(1), small_plan()), 1);
    EXPECT_NEAR(drops[0][2], 0.5, 1e-4);
    EXPECT_TRUE(std::isnan(drops[0][3]));
    EXPECT_FALSE(is_quadratic(drops[0]));
}

}  // namespace tessera::likelihood
