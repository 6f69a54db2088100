// Symmetric matrices of a few dozen rows.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace tessera::likelihood {

/// A square matrix, stored row by row.
struct Matrix {
    explicit Matrix(std::size_t size = 0, double diagonal = 0) : n(size), values(size * size, 0.0) {
        for (std::size_t i = 0; i < n; ++i) (*this)(i, i) = diagonal;
    }
    double& operator()(std::size_t i, std::size_t j) { return values[i * n + j]; }
    double operator()(std::size_t i, std::size_t j) const { return values[i * n + j]; }

    std::size_t n;
    std::vector<double> values;
};

/// Rows and columns `kept` of `matrix`.
Matrix submatrix(const Matrix& matrix, const std::vector<std::size_t>& kept);
std::vector<double> product(const Matrix& matrix, const std::vector<double>& vector);
Matrix product(const Matrix& a, const Matrix& b);
double dot(const std::vector<double>& a, const std::vector<double>& b);

/// The lower factor L of matrix = L L^T. Returns nullopt if the matrix is not positive definite.
std::optional<Matrix> cholesky(const Matrix& matrix);

/// Solves matrix x = right by Cholesky's factors. Returns nullopt if the matrix is not positive
/// definite.
std::optional<std::vector<double>> solve_positive(const Matrix& matrix,
                                                  const std::vector<double>& right);

/// Eigenvalues in ascending order. The columns of `vectors` are the unit eigenvectors.
struct Eigensystem {
    std::vector<double> values;
    Matrix vectors;
};

/// The eigensystem of a symmetric matrix, by Jacobi's rotations (Golub & Van Loan 2013, section
/// 8.5).
Eigensystem eigensystem(Matrix matrix);

/// A power of a symmetric, positive definite matrix.
Matrix power(const Matrix& matrix, double exponent);

}  // namespace tessera::likelihood
