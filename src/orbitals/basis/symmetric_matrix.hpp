// Eigenvalues of symmetric matrices of any size.
#pragma once

#include <cstddef>
#include <vector>

namespace tessera::orbitals {

/// Eigenvalues in ascending order, and the unit vector of each.
struct Eigenpairs {
    std::vector<double> values;
    std::vector<double> vectors;  ///< [value][component]
};

/// Of a symmetric matrix [row][column] of finite numbers. Householder's reduction to three
/// diagonals, and implicit QR steps with Wilkinson's shift (Golub & Van Loan 2013, sections 8.3.1
/// and 8.3.5). Errors are of the order of rounding times the largest eigenvalue.
Eigenpairs eigenpairs(std::vector<double> matrix, std::size_t size);

}  // namespace tessera::orbitals
