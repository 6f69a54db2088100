#include "docking/model/jacobi.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::docking {

namespace {

void turn(double& x, double& y, double c, double s) {
    const double old = x;
    x = c * old - s * y;
    y = s * old + c * y;
}

}  // namespace

double JacobiState::off_diagonal() const {
    double largest = 0;
    for (std::size_t i = 0; i < k; ++i)
        for (std::size_t j = i + 1; j < k; ++j) largest = std::max(largest, std::abs(a[i * k + j]));
    return largest;
}

void JacobiState::rotate(std::size_t p, std::size_t q) {
    if (a[p * k + q] == 0) return;
    const double theta = (a[q * k + q] - a[p * k + p]) / (2 * a[p * k + q]);
    const double t = std::copysign(1.0, theta) / (std::abs(theta) + std::hypot(theta, 1.0));
    const double c = 1 / std::hypot(t, 1.0);
    const double s = t * c;
    for (std::size_t i = 0; i < k; ++i) turn(a[i * k + p], a[i * k + q], c, s);
    for (std::size_t i = 0; i < k; ++i) turn(a[p * k + i], a[q * k + i], c, s);
    a[p * k + q] = a[q * k + p] = 0;
    for (std::size_t i = 0; i < k; ++i) turn(v[i * k + p], v[i * k + q], c, s);
}

JacobiState diagonalised(const std::vector<double>& matrix, std::size_t k) {
    JacobiState state{k, matrix, std::vector<double>(k * k, 0)};
    double largest = 0;
    for (std::size_t i = 0; i < k; ++i) state.v[i * k + i] = 1;
    for (const double element : matrix) largest = std::max(largest, std::abs(element));
    // Convergence is quadratic, and a few sweeps reach rounding. The limit of 60 is only a
    // safeguard.
    for (int sweep = 0; sweep < 60 && state.off_diagonal() > 1e-17 * largest; ++sweep)
        for (std::size_t p = 0; p < k; ++p)
            for (std::size_t q = p + 1; q < k; ++q) state.rotate(p, q);
    return state;
}

}  // namespace tessera::docking
