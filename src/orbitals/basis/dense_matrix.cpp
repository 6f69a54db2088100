#include "orbitals/basis/dense_matrix.hpp"

namespace tessera::orbitals {

Matrix zeros(std::size_t rows, std::size_t columns) {
    return {rows, columns, std::vector<double>(rows * columns, 0.0)};
}

Matrix product(const Matrix& a, const Matrix& b) {
    Matrix c = zeros(a.rows, b.columns);
#pragma omp parallel for
    for (std::size_t i = 0; i < a.rows; ++i)
        for (std::size_t k = 0; k < a.columns; ++k) {
            const double factor = a.row(i)[k];
            const double* const from = b.row(k);
            double* const to = c.row(i);
            for (std::size_t j = 0; j < b.columns; ++j) to[j] += factor * from[j];
        }
    return c;
}

Matrix transposed(const Matrix& a) {
    Matrix t = zeros(a.columns, a.rows);
    for (std::size_t i = 0; i < a.rows; ++i)
        for (std::size_t j = 0; j < a.columns; ++j) t.row(j)[i] = a.row(i)[j];
    return t;
}

double sum_of_products(const Matrix& a, const Matrix& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.values.size(); ++i) sum += a.values[i] * b.values[i];
    return sum;
}

}  // namespace tessera::orbitals
