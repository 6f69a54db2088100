#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "known_objectives.hpp"
#include "likelihood/fit/curvature.hpp"
#include "likelihood/fit/maximise.hpp"
#include "likelihood/model/random_stream.hpp"

namespace tessera::likelihood {

namespace {

/// -(u - m)^T A (u - m) / 2.
auto paraboloid(const Matrix& a, const Point& top) {
    return [=](const Point& u) {
        Point away(u.size());
        for (std::size_t i = 0; i < u.size(); ++i) away[i] = u[i] - top[i];
        Slope slope{0, product(a, away)};
        slope.value = -dot(away, slope.gradient) / 2;
        for (double& g : slope.gradient) g = -g;
        return slope;
    };
}

Matrix random_information(std::size_t n) {
    RandomStream random{11};
    Matrix factor(n), a(n);
    for (double& value : factor.values) value = 30 * random.normal();
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            for (std::size_t k = 0; k < n; ++k) a(i, j) += factor(i, k) * factor(j, k);
    for (std::size_t i = 0; i < n; ++i) a(i, i) += 400;
    return a;
}

std::vector<std::size_t> all(std::size_t n) {
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < n; ++i) indices.push_back(i);
    return indices;
}

}  // namespace

TEST(SmallMatrix, EigensystemRebuildsTheMatrix) {
    const Matrix a = random_information(7);
    const auto system = eigensystem(a);
    for (std::size_t i = 0; i < 7; ++i)
        for (std::size_t j = 0; j < 7; ++j) {
            double rebuilt = 0, unit = 0;
            for (std::size_t e = 0; e < 7; ++e) {
                rebuilt += system.values[e] * system.vectors(i, e) * system.vectors(j, e);
                unit += system.vectors(e, i) * system.vectors(e, j);
            }
            EXPECT_NEAR(rebuilt, a(i, j), 1e-9);
            EXPECT_NEAR(unit, i == j ? 1 : 0, 1e-13);
        }
    EXPECT_TRUE(std::ranges::is_sorted(system.values));
}

TEST(Curvature, CovarianceOfAParaboloidIsTheInverse) {
    const std::size_t n = 6;
    const Matrix a = random_information(n);
    test::FunctionObjective objective(paraboloid(a, Point(n, 0.5)));
    const auto curvature = difference_curvature(objective, Space(n), Point(n, 0.5), all(n),
                                                std::vector<double>(n, 1e-4));
    const auto errors = estimate_errors(curvature, Point(n, 0.5), all(n));
    for (std::size_t j = 0; j < n; ++j) {
        Point column(n);
        for (std::size_t i = 0; i < n; ++i) column[i] = errors.covariance(i, j);
        const auto unit = product(a, column);
        for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(unit[i], i == j ? 1 : 0, 1e-7);
        EXPECT_EQ(errors.verdicts[j], Verdict::determined);
    }
}

TEST(Curvature, FitOfAParaboloidGivesItsErrorsInUnitsOfTheLikelihood) {
    // The objective is a mean over 100 stars in decimal logarithms.
    Matrix a(2, 4.0);
    a(0, 1) = a(1, 0) = 1;
    test::FunctionObjective objective(paraboloid(a, {0.4, 0.6}));
    MaximisePlan plan;
    plan.population = 20;
    plan.generations = 5;
    plan.log_likelihood_unit = 100 * std::log(10.0);
    const auto found = maximise(objective, Space(2), plan);
    ASSERT_TRUE(found.converged);
    EXPECT_NEAR(found.best.at[0], 0.4, 1e-4);
    EXPECT_NEAR(found.best.at[1], 0.6, 1e-4);
    const double expected = 4.0 / 15 / plan.log_likelihood_unit;
    EXPECT_NEAR(found.errors.covariance(0, 0), expected, 1e-6 * expected);
    EXPECT_NEAR(found.errors.covariance(0, 1), -expected / 4, 1e-6 * expected);
}

TEST(Curvature, ACoordinateWithoutEffectIsUnconstrained) {
    test::FunctionObjective objective([](const Point& u) {
        return Slope{-500 * (u[0] - 0.3) * (u[0] - 0.3), {-1000 * (u[0] - 0.3), 0}};
    });
    MaximisePlan plan;
    plan.population = 10;
    plan.generations = 10;
    const auto found = maximise(objective, Space(2), plan);
    EXPECT_TRUE(found.converged);
    EXPECT_EQ(found.errors.verdicts[0], Verdict::determined);
    EXPECT_EQ(found.errors.verdicts[1], Verdict::unconstrained);
    EXPECT_NEAR(found.errors.covariance(0, 0), 1e-3, 1e-8);
    EXPECT_TRUE(std::isnan(found.errors.covariance(1, 1)));
}

TEST(Curvature, OnlyTheSumOfTwoCoordinatesIsDetermined) {
    test::FunctionObjective objective([](const Point& u) {
        const double off = u[0] + u[1] - 0.9;
        return Slope{-500 * off * off, {-1000 * off, -1000 * off}};
    });
    MaximisePlan plan;
    plan.population = 10;
    plan.generations = 10;
    const auto found = maximise(objective, Space(2), plan);
    EXPECT_TRUE(found.converged);
    EXPECT_EQ(found.errors.verdicts[0], Verdict::unconstrained);
    EXPECT_EQ(found.errors.verdicts[1], Verdict::unconstrained);
}

TEST(Curvature, ASaddleIsNoMaximum) {
    // Along the second coordinate the start is a minimum between two maxima at 0.2 and 0.8.
    test::FunctionObjective objective([](const Point& u) {
        const double x = u[0] - 0.5, y = (u[1] - 0.5) / 0.3;
        return Slope{-100 * x * x - 50 * (y * y - 1) * (y * y - 1),
                     {-200 * x, -200 * (y * y - 1) * y / 0.3}};
    });
    MaximisePlan plan;
    plan.population = 4;
    plan.generations = 1;
    plan.climbs = 1;
    plan.given = std::vector<Point>(4, Point{0.5, 0.5});
    const auto found = maximise(objective, Space(2), plan);
    EXPECT_TRUE(found.converged);
    EXPECT_NEAR(std::abs(found.best.at[1] - 0.5), 0.3, 1e-3);
}

}  // namespace tessera::likelihood
