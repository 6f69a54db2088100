// The eigenvalues and eigenvectors of small symmetric matrices.
#pragma once

#include <cstddef>
#include <vector>

namespace tessera::docking {

/// A symmetric matrix [k * k] during its diagonalisation, with the product of all rotations so far.
struct JacobiState {
    std::size_t k;
    std::vector<double> a;  ///< the diagonal becomes the eigenvalues
    std::vector<double> v;  ///< columns become eigenvectors of unit length

    /// The absolute value of the largest off-diagonal element.
    double off_diagonal() const;

    /// Rotation in the plane (p, q) that makes a[p][q] zero (Golub & Van Loan, 8.5.2).
    void rotate(std::size_t p, std::size_t q);
};

/// Diagonalises a matrix to rounding by cyclic Jacobi rotations.
JacobiState diagonalised(const std::vector<double>& matrix, std::size_t k);

}  // namespace tessera::docking
