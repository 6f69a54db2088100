#include "likelihood/fit/small_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tessera::likelihood {

Matrix submatrix(const Matrix& matrix, const std::vector<std::size_t>& kept) {
    Matrix part(kept.size());
    for (std::size_t i = 0; i < kept.size(); ++i)
        for (std::size_t j = 0; j < kept.size(); ++j) part(i, j) = matrix(kept[i], kept[j]);
    return part;
}

std::vector<double> product(const Matrix& matrix, const std::vector<double>& vector) {
    std::vector<double> result(matrix.n, 0.0);
    for (std::size_t i = 0; i < matrix.n; ++i)
        for (std::size_t j = 0; j < matrix.n; ++j) result[i] += matrix(i, j) * vector[j];
    return result;
}

Matrix product(const Matrix& a, const Matrix& b) {
    Matrix result(a.n);
    for (std::size_t i = 0; i < a.n; ++i)
        for (std::size_t k = 0; k < a.n; ++k)
            for (std::size_t j = 0; j < a.n; ++j) result(i, j) += a(i, k) * b(k, j);
    return result;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

std::optional<Matrix> cholesky(const Matrix& matrix) {
    Matrix lower(matrix.n);
    for (std::size_t j = 0; j < matrix.n; ++j)
        for (std::size_t i = j; i < matrix.n; ++i) {
            double rest = matrix(i, j);
            for (std::size_t k = 0; k < j; ++k) rest -= lower(i, k) * lower(j, k);
            if (i == j && !(rest > 0 && std::isfinite(rest))) return std::nullopt;
            lower(i, j) = i == j ? std::sqrt(rest) : rest / lower(j, j);
        }
    return lower;
}

std::optional<std::vector<double>> solve_positive(const Matrix& matrix,
                                                  const std::vector<double>& right) {
    const std::size_t n = matrix.n;
    const auto factor = cholesky(matrix);
    if (!factor) return std::nullopt;
    const Matrix& lower = *factor;
    std::vector<double> x = right;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < i; ++k) x[i] -= lower(i, k) * x[k];
        x[i] /= lower(i, i);
    }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t k = i + 1; k < n; ++k) x[i] -= lower(k, i) * x[k];
        x[i] /= lower(i, i);
    }
    return x;
}

namespace {

/// One rotation in the plane of i and j that brings matrix(i, j) to zero.
void rotate(Matrix& a, Matrix& vectors, std::size_t i, std::size_t j) {
    if (a(i, j) == 0) return;
    const double cotangent = (a(j, j) - a(i, i)) / (2 * a(i, j));
    const double t = std::copysign(1.0, cotangent) /
                     (std::abs(cotangent) + std::sqrt(cotangent * cotangent + 1));
    const double c = 1 / std::sqrt(t * t + 1), s = t * c;
    for (std::size_t k = 0; k < a.n; ++k) {
        const double x = a(k, i), y = a(k, j);
        a(k, i) = c * x - s * y, a(k, j) = s * x + c * y;
    }
    for (std::size_t k = 0; k < a.n; ++k) {
        const double x = a(i, k), y = a(j, k);
        a(i, k) = c * x - s * y, a(j, k) = s * x + c * y;
        const double u = vectors(k, i), v = vectors(k, j);
        vectors(k, i) = c * u - s * v, vectors(k, j) = s * u + c * v;
    }
    a(i, j) = a(j, i) = 0;
}

double off_diagonal(const Matrix& a) {
    double sum = 0;
    for (std::size_t i = 0; i < a.n; ++i)
        for (std::size_t j = 0; j < i; ++j) sum += a(i, j) * a(i, j);
    return sum;
}

}  // namespace

Eigensystem eigensystem(Matrix a) {
    const std::size_t n = a.n;
    constexpr int most_sweeps = 60;
    Matrix vectors(n, 1.0);
    const double whole = dot(a.values, a.values);
    for (int sweep = 0; sweep < most_sweeps && off_diagonal(a) > 1e-32 * whole; ++sweep)
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = i + 1; j < n; ++j) rotate(a, vectors, i, j);
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](auto i, auto j) { return a(i, i) < a(j, j); });
    Eigensystem system{std::vector<double>(n), Matrix(n)};
    for (std::size_t j = 0; j < n; ++j) {
        system.values[j] = a(order[j], order[j]);
        for (std::size_t i = 0; i < n; ++i) system.vectors(i, j) = vectors(i, order[j]);
    }
    return system;
}

Matrix power(const Matrix& matrix, double exponent) {
    const Eigensystem system = eigensystem(matrix);
    Matrix result(matrix.n);
    for (std::size_t e = 0; e < matrix.n; ++e) {
        const double value = std::pow(system.values[e], exponent);
        for (std::size_t i = 0; i < matrix.n; ++i)
            for (std::size_t j = 0; j < matrix.n; ++j)
                result(i, j) += system.vectors(i, e) * system.vectors(j, e) * value;
    }
    return result;
}

}  // namespace tessera::likelihood
