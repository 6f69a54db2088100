// Products of small dense matrices.
#pragma once

#include <cstddef>
#include <vector>

namespace tessera::orbitals {

/// A matrix [row][column].
struct Matrix {
    std::size_t rows = 0, columns = 0;
    std::vector<double> values;

    const double* row(std::size_t i) const { return values.data() + i * columns; }
    double* row(std::size_t i) { return values.data() + i * columns; }
};

Matrix zeros(std::size_t rows, std::size_t columns);
Matrix product(const Matrix& a, const Matrix& b);
Matrix transposed(const Matrix& a);
/// The sum of the products of elements in the same place.
double sum_of_products(const Matrix& a, const Matrix& b);

}  // namespace tessera::orbitals
