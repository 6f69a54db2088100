#include <gtest/gtest.h>

#include <cmath>

#include "likelihood/sample/hill_set.hpp"
#include "several_hills.hpp"

namespace tessera::likelihood {

namespace {

using test::stretched;

const HillShape one{{1, -2, 0.5, 3}, stretched(4, 0.2, 5, 0.6)};
const HillShape other{{4, 3, 0.6, 2.9}, stretched(4, 2, 0.5, -0.3)};

/// The determinant by Gauss's elimination, without pivots.
double determinant(Matrix matrix) {
    double product = 1;
    for (std::size_t k = 0; k < matrix.n; ++k) {
        product *= matrix(k, k);
        for (std::size_t i = k + 1; i < matrix.n; ++i)
            for (std::size_t j = matrix.n; j-- > k;)
                matrix(i, j) -= matrix(i, k) / matrix(k, k) * matrix(k, j);
    }
    return product;
}

Matrix transposed(const Matrix& matrix) {
    Matrix found(matrix.n);
    for (std::size_t i = 0; i < matrix.n; ++i)
        for (std::size_t j = 0; j < matrix.n; ++j) found(i, j) = matrix(j, i);
    return found;
}

void expect_equal(const Matrix& found, const Matrix& expected, double tolerance) {
    for (std::size_t k = 0; k < found.values.size(); ++k)
        EXPECT_NEAR(found.values[k], expected.values[k], tolerance);
}

}  // namespace

TEST(HillMaps, ThoseBackAreTheInverses) {
    const auto there = hill_maps(one, other), back = hill_maps(other, one);
    ASSERT_EQ(there.size(), back.size());
    const Point at{0.3, -1, 2, 7};
    for (std::size_t m = 0; m < there.size(); ++m) {
        const Point again = back[m](there[m](at));
        for (std::size_t i = 0; i < at.size(); ++i) EXPECT_NEAR(again[i], at[i], 1e-9);
        EXPECT_NEAR(there[m].log_volume, -back[m].log_volume, 1e-12);
    }
}

TEST(HillMaps, TheirVolumesAreTheirDeterminants) {
    for (const AffineMap& map : hill_maps(one, other))
        EXPECT_NEAR(map.log_volume, std::log(std::abs(determinant(map.linear))), 1e-9);
}

TEST(HillMaps, TransportMakesOneCovarianceOfTheOther) {
    const AffineMap map = hill_maps(one, other).front();
    expect_equal(product(product(map.linear, one.covariance), transposed(map.linear)),
                 other.covariance, 1e-9);
    expect_equal(map.linear, transposed(map.linear), 1e-10);
    EXPECT_EQ(map(one.centre), other.centre);
    // For numbers, by hand: from variance 4 to 9.
    EXPECT_NEAR(transport(Matrix(1, 4.0), Matrix(1, 9.0))(0, 0), 1.5, 1e-12);
}

TEST(HillMaps, CoordinatesFarApartHaveAMapOfTheirOwn) {
    // The centres are 10, 1 and 0 standard deviations apart.
    const HillShape a{{0, 0, 3}, Matrix(3, 1.0)}, b{{10, 1, 3}, Matrix(3, 1.0)};
    const auto maps = hill_maps(a, b);
    ASSERT_EQ(maps.size(), 4u);
    EXPECT_EQ(maps[2]({0.5, 0.25, 4}), Point({10.5, 1.25, 4}));
    EXPECT_EQ(maps[3]({0.5, 0.25, 4}), Point({10.5, 0.25, 4}));
    EXPECT_EQ(hill_maps(a, {{10, 2, 3}, Matrix(3, 1.0)}).size(), 3u);  // both would be the same
}

TEST(HillMaps, TheLastOneLeavesCoordinatesThatHillsHaveInCommon) {
    // The last two coordinates have one distribution on both hills. The first two depend on them
    // by other slopes, and have other spreads.
    const auto hill = [](const Point& centre, double slope, double spread) {
        Matrix mixing(4, 1.0), inner(4, 1.0);
        mixing(0, 2) = slope, mixing(0, 3) = -slope, mixing(1, 3) = 2 * slope;
        inner(0, 0) = spread, inner(1, 1) = 2 * spread, inner(0, 1) = inner(1, 0) = spread / 2;
        inner(2, 3) = inner(3, 2) = 0.4;
        return HillShape{centre, product(product(mixing, inner), transposed(mixing))};
    };
    const HillShape a = hill({0, 0, 5, 7}, 0.5, 1), b = hill({30, 40, 5, 7}, -0.8, 3);
    const AffineMap map = hill_maps(a, b).back();
    const Point at{1, 2, 6, 9}, to = map(at);
    EXPECT_EQ(to[2], at[2]);
    EXPECT_EQ(to[3], at[3]);
    expect_equal(product(product(map.linear, a.covariance), transposed(map.linear)), b.covariance,
                 1e-9);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(map(a.centre)[i], b.centre[i], 1e-12);
}

TEST(HillSet, SharesHaveTheSumOneAndTheirGradients) {
    const HillSet hills({one, other, {{-6, 1, 0, 0}, stretched(4, 1, 1, 0.1)}});
    const Point at{1.7, -0.5, 0.55, 2.95};
    const auto logs = hills.log_shares(at);
    EXPECT_NEAR(std::exp(logs[0]) + std::exp(logs[1]) + std::exp(logs[2]), 1, 1e-14);
    for (std::size_t k = 0; k < 3; ++k) {
        const Point gradient = hills.log_share_gradient(k, at);
        for (std::size_t i = 0; i < 4; ++i) {
            Point above = at, below = at;
            above[i] += 1e-5, below[i] -= 1e-5;
            const double slope = (hills.log_shares(above)[k] - hills.log_shares(below)[k]) / 2e-5;
            EXPECT_NEAR(gradient[i], slope, 1e-7 * (1 + std::abs(slope)));
        }
    }
}

TEST(HillSet, TheBorderIsEquallyFarFromBothHills) {
    // Standard deviations of 1 and 3: the border between 0 and 8 is at 2.
    const HillSet hills({{{0}, Matrix(1, 1.0)}, {{8}, Matrix(1, 9.0)}});
    EXPECT_NEAR(hills.log_shares({2})[0], std::log(0.5), 1e-12);
    EXPECT_GT(hills.log_shares({1.9})[0], std::log(0.5));
    // Hills far apart have the share e^-12 at the nearer centre.
    const HillSet far({{{0}, Matrix(1, 1.0)}, {{80}, Matrix(1, 9.0)}});
    EXPECT_NEAR(far.log_shares({0})[1], -12, 1e-4);
}

}  // namespace tessera::likelihood
