// Eigenvalues of symmetric matrices: known ones, and what defines eigenvectors.
#include "orbitals/basis/symmetric_matrix.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace {

using tessera::orbitals::Eigenpairs;
using tessera::orbitals::eigenpairs;

void expect_eigenpairs(const std::vector<double>& matrix, std::size_t n, double scale) {
    const Eigenpairs pairs = eigenpairs(matrix, n);
    ASSERT_EQ(pairs.values.size(), n);
    for (std::size_t k = 0; k < n; ++k) {
        EXPECT_LE(pairs.values[k > 0 ? k - 1 : 0], pairs.values[k]);
        const double* const v = pairs.vectors.data() + k * n;
        for (std::size_t i = 0; i < n; ++i) {
            double image = 0;
            for (std::size_t j = 0; j < n; ++j) image += matrix[i * n + j] * v[j];
            EXPECT_NEAR(image, pairs.values[k] * v[i], 1e-13 * scale);
        }
        for (std::size_t l = 0; l <= k; ++l) {
            double product = 0;
            for (std::size_t i = 0; i < n; ++i) product += v[i] * pairs.vectors[l * n + i];
            EXPECT_NEAR(product, l == k ? 1 : 0, 1e-13);
        }
    }
}

TEST(SymmetricMatrix, RandomAndDegenerateOnes) {
    std::mt19937 random(5);
    std::normal_distribution<double> normal;
    for (const std::size_t n : {1, 2, 3, 4, 9, 60})
        for (const bool half : {false, true}) {  // or with many values of 0
            std::vector<double> matrix(n * n);
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t j = 0; j <= i; ++j)
                    matrix[i * n + j] = matrix[j * n + i] = half && j < n / 2 ? 0 : normal(random);
            expect_eigenpairs(matrix, n, 20);
        }
    expect_eigenpairs(std::vector<double>(25, 0.0), 5, 1);
    expect_eigenpairs(std::vector<double>(25, 1.0), 5, 5);  // 0 four times, and 5
    EXPECT_NEAR(eigenpairs(std::vector<double>(25, 1.0), 5).values.back(), 5, 1e-14);
    EXPECT_TRUE(eigenpairs({}, 0).values.empty());
}

/// Of second differences they are 2 - 2 cos(pi k / (n + 1)).
TEST(SymmetricMatrix, AChainHasKnownValues) {
    constexpr std::size_t n = 30;
    std::vector<double> matrix(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        matrix[i * n + i] = 2;
        if (i > 0) matrix[i * n + i - 1] = matrix[(i - 1) * n + i] = -1;
    }
    const Eigenpairs pairs = eigenpairs(matrix, n);
    for (std::size_t k = 0; k < n; ++k)
        EXPECT_NEAR(pairs.values[k], 2 - 2 * std::cos(M_PI * double(k + 1) / (n + 1)), 1e-14);
    expect_eigenpairs(matrix, n, 4);
}

}  // namespace
