#include <gtest/gtest.h>

#include <cmath>

#include "known_posteriors.hpp"
#include "likelihood/sample/metric_estimate.hpp"

namespace tessera::likelihood {

namespace {

/// A covariance with scales from 0.1 to 10 and correlations, and its inverse, by hand:
/// [[a, b], [b, c]] has the inverse [[c, -b], [-b, a]] / (a c - b b).
Matrix matrix(double a, double b, double c) {
    Matrix m(2);
    m(0, 0) = a, m(0, 1) = m(1, 0) = b, m(1, 1) = c;
    return m;
}

const double a = 100, b = 0.9, c = 0.01, determinant = a * c - b * b;

template <class Target>
std::vector<Image> drawn(const Target& target, const Matrix& lower, std::size_t count) {
    RandomStream random{4};
    std::vector<Image> draws;
    for (std::size_t k = 0; k < count; ++k) {
        const Point z{random.normal(), random.normal()};
        const Point at = product(lower, z);
        draws.push_back({at, target(at).gradient});
    }
    return draws;
}

void expect_near(const Matrix& found, const Matrix& expected, double share) {
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 2; ++j)
            EXPECT_NEAR(found(i, j), expected(i, j),
                        share * std::sqrt(expected(i, i) * expected(j, j)));
}

}  // namespace

TEST(MetricEstimate, OfANormalDensityIsItsCovarianceFromAFewDraws) {
    const Matrix covariance = matrix(a, b, c);
    const Matrix precision = matrix(c / determinant, -b / determinant, a / determinant);
    const auto draws = drawn(test::normal_density({0, 0}, precision), *cholesky(covariance), 12);
    // The covariance of 12 draws alone would be off by 40 %.
    expect_near(estimated_metric(draws, covariance), covariance, 1e-9);
    expect_near(estimated_metric(draws, matrix(a * 1.2, b, c / 1.2)), covariance, 0.15);
    expect_near(estimated_metric(
                    drawn(test::normal_density({0, 0}, precision), *cholesky(covariance), 2000),
                    Matrix(2, 1.0)),
                covariance, 0.15);
}

TEST(MetricEstimate, IsTheGeometricMeanOfBothCovariances) {
    // Independent coordinates: sqrt(var(x) / var(g)). Points and gradients of any densities.
    std::vector<Image> draws;
    for (int k = 0; k < 40000; ++k) {
        const double s = k % 2 == 0 ? 1 : -1, t = k % 4 < 2 ? 1 : -1;
        draws.push_back({{3 * s, 0.5 * t}, {12 * s, 8 * t}});
    }
    const Matrix found = estimated_metric(draws, Matrix(2, 1.0));
    EXPECT_NEAR(found(0, 0), 0.25, 1e-3);
    EXPECT_NEAR(found(1, 1), 0.0625, 1e-3);
    EXPECT_NEAR(found(0, 1), 0, 1e-9);
}

TEST(MetricEstimate, StaysWhereDrawsTellNothing) {
    const Matrix before = matrix(2, 0.5, 1);
    expect_near(estimated_metric({}, before), before, 1e-12);
    expect_near(estimated_metric({{{1, 1}, {0, 0}}}, before), before, 1e-12);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    expect_near(estimated_metric({{{1, 1}, {0, 0}}, {{1, nan}, {0, 0}}}, before), before, 1e-12);
    // Two equal draws without slopes: five draws of `before` decide the shape.
    expect_near(estimated_metric({{{1, 1}, {0, 0}}, {{1, 1}, {0, 0}}}, before), before, 1e-9);
}

}  // namespace tessera::likelihood
