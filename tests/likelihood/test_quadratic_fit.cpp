#include "likelihood/fit/quadratic_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tessera::likelihood {

namespace {

/// 3 + g x - x C x / 2 in three variables.
double known(const Point& x) {
    return 3 + x[0] - 2 * x[1] + 0.5 * x[2] -
           (4 * x[0] * x[0] + 2 * x[1] * x[1] + x[2] * x[2] + 2 * x[0] * x[1] - x[1] * x[2]) / 2;
}

std::vector<Candidate> scattered(int count) {
    std::vector<Candidate> points;
    for (int i = 0; i < count; ++i) {
        RandomStream random{5, static_cast<std::uint64_t>(i)};
        Point x;
        for (int k = 0; k < 3; ++k) x.push_back(2 * random.uniform() - 1);
        points.push_back({x, known(x)});
    }
    return points;
}

}  // namespace

TEST(QuadraticFit, FindsTheCoefficientsOfAQuadratic) {
    EXPECT_EQ(quadratic_terms(3), 10u);
    const auto found = fitted_quadratic(scattered(12));
    ASSERT_TRUE(found);
    const double gradient[] = {1, -2, 0.5};
    const double curvature[3][3] = {{4, 1, 0}, {1, 2, -0.5}, {0, -0.5, 1}};
    EXPECT_NEAR(found->value, 3, 1e-10);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(found->gradient[i], gradient[i], 1e-10);
        for (std::size_t j = 0; j < 3; ++j)
            EXPECT_NEAR(found->curvature(i, j), curvature[i][j], 1e-9) << i << j;
    }
}

TEST(QuadraticFit, HasNoMixedTermsWithFewPoints) {
    const auto found = fitted_quadratic(scattered(11));  // 12 would do for all ten terms
    ASSERT_TRUE(found);
    EXPECT_EQ(found->curvature(0, 1), 0);
    EXPECT_GT(found->curvature(0, 0), 0);
    EXPECT_FALSE(fitted_quadratic(scattered(8)));  // 7 terms
    EXPECT_FALSE(fitted_quadratic({}));
}

TEST(QuadraticFit, TheStepEndsAtTheMaximumOrIsCutShort) {
    const auto model = *fitted_quadratic(scattered(30));
    // The maximum, where C x = g, by Cramer's rule: det C = 6.
    const Point top{(1 * 1.75 + 2 * 1 + 0.5 * -0.5) / 6, (-1 - 8 + 0.5 * 2) / 6,
                    (1 * -0.5 + -2 * 2 + 0.5 * 7) / 6};
    const Point whole = newton_step(model, 5), cut = newton_step(model, 0.5);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(whole[i], top[i], 1e-9) << i;
        EXPECT_NEAR(cut[i], top[i] * 0.5 / std::abs(top[1]), 1e-9) << i;
    }
    EXPECT_NEAR(promised(model, whole), known(top) - 3, 1e-9);
    EXPECT_NEAR(promised(model, cut), known(cut) - 3, 1e-9);
}

TEST(QuadraticFit, TheStepLeadsUpwardsFromASaddle) {
    Quadratic saddle{0, {0.1, 1}, Matrix(2)};
    saddle.curvature(0, 0) = -4;
    saddle.curvature(1, 1) = 2;
    const Point step = newton_step(saddle, 10);
    EXPECT_NEAR(step[0], 0.1 / 4, 1e-12);
    EXPECT_NEAR(step[1], 0.5, 1e-12);
    EXPECT_NEAR(promised(saddle, step), 0.0025 + 0.5 + 2 * 0.025 * 0.025 - 0.25, 1e-12);
}

}  // namespace tessera::likelihood
