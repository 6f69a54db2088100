#include <gtest/gtest.h>

#include <cmath>

#include "known_posteriors.hpp"
#include "likelihood/sample/summit.hpp"

namespace tessera::likelihood {

namespace {

template <class Target>
DensitiesOf of_points(Target target) {
    return [=](const std::vector<Point>& points) {
        std::vector<Density> densities;
        for (const Point& point : points) densities.push_back(target(point));
        return densities;
    };
}

}  // namespace

TEST(Summit, OfANormalDensityIsItsMeanWithItsCovariance) {
    Matrix precision(2, 4.0);
    precision(0, 1) = precision(1, 0) = 2;
    const Summit summit = find_summit({5, 5}, of_points(test::normal_density({1, -20}, precision)));
    EXPECT_NEAR(summit.at[0], 1, 1e-6);
    EXPECT_NEAR(summit.at[1], -20, 1e-6);
    // The inverse of {{4, 2}, {2, 4}} by hand.
    EXPECT_NEAR(summit.covariance(0, 0), 1.0 / 3, 1e-9);
    EXPECT_NEAR(summit.covariance(0, 1), -1.0 / 6, 1e-9);
}

TEST(Summit, IsFoundFromFarAway) {
    // The density of the logarithm of an exponential number is highest at 0, with curvature 1.
    for (const double from : {-6.0, 3.0}) {
        const Summit summit = find_summit({from}, of_points(test::gumbel_density));
        EXPECT_NEAR(summit.at[0], 0, 0.15);
        EXPECT_NEAR(summit.covariance(0, 0), 1, 0.15);
    }
}

TEST(Summit, StepsRiseFromWhereTheDensityIsHollow) {
    const auto two_hills = [](const Point& x) {
        const double away = x[0] * x[0] - 1;
        return Density{-8 * away * away, Point{-32 * away * x[0]}, 0};
    };
    const Summit summit = find_summit({0.05}, of_points(two_hills));
    EXPECT_NEAR(summit.at[0], 1, 0.02);
    EXPECT_NEAR(summit.covariance(0, 0), 1.0 / 64, 2e-3);
}

TEST(Summit, DirectionsWithoutCurvatureGetThatOfThePrior) {
    const auto flat = [](const Point& x) { return Density{-x[0] * x[0], {-2 * x[0], 0}, 0}; };
    const Summit summit = find_summit({1, 3}, of_points(flat));
    EXPECT_NEAR(summit.covariance(0, 0), 0.5, 1e-9);
    EXPECT_NEAR(summit.covariance(1, 1), 1 / 0.3, 1e-9);
}

TEST(Summit, StaysWhereNoDensityIsFinite) {
    const auto nothing = [](const Point&) { return Density{rejected, Point(1, 0.0), rejected}; };
    EXPECT_EQ(find_summit({2}, of_points(nothing)).at, Point{2});
}

}  // namespace tessera::likelihood
