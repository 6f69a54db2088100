// Derivatives of the plain sum over random groups, axis by axis, and fields made of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kokkos_kernels/orbitals/derived_field.hpp"
#include "random_orbitals.hpp"

namespace tessera::kernels::testing {

/// The derivative of x^power exp(-a x^2) of order 0, 1 or 2.
inline double factor_along(double x, int power, double a, int order) {
    const auto term = [&](double factor, int k) { return k < 0 ? 0 : factor * std::pow(x, k); };
    const double polynomial = order == 0   ? std::pow(x, power)
                              : order == 1 ? term(power, power - 1) - term(2 * a, power + 1)
                                           : term(power * (power - 1.0), power - 2) -
                                                 term(2 * a * (2 * power + 1.0), power) +
                                                 term(4 * a * a, power + 2);
    return polynomial * std::exp(-a * x * x);
}

/// The derivative of psi by x, y and z of these orders.
inline double plain_derivative(const OrbitalProblem& problem, int orbital, Vec3 point,
                               std::array<int, 3> orders) {
    double sum = 0;
    for (const PrimitiveGroup& group : problem.groups) {
        const Vec3 d = point - group.center;
        int m = group.first;
        for (int degree = 0; degree <= group.l; ++degree)
            for (int i = degree; i >= 0; --i)
                for (int j = degree - i; j >= 0; --j)
                    sum += problem.coefficients[orbital][m++] *
                           factor_along(d.x, i, group.exponent, orders[0]) *
                           factor_along(d.y, j, group.exponent, orders[1]) *
                           factor_along(d.z, degree - i - j, group.exponent, orders[2]);
    }
    return sum;
}

/// Of one spin, or of all electrons.
struct PlainDensity {
    double rho = 0, gradient[3] = {}, tau = 0, hessian[3][3] = {};

    double steepness() const { return std::hypot(gradient[0], gradient[1], gradient[2]); }
    double laplacian() const { return hessian[0][0] + hessian[1][1] + hessian[2][2]; }
    double weizsaecker() const { return rho > 0 ? steepness() * steepness() / (8 * rho) : 0; }
    double uniform_gas() const {  // of one spin
        return 0.3 * std::pow(6 * std::numbers::pi * std::numbers::pi, 2.0 / 3) *
               std::pow(rho, 5.0 / 3);
    }
};

inline PlainDensity plain_density(const OrbitalProblem& problem, const std::vector<double>& weights,
                                  Vec3 point) {
    PlainDensity density;
    for (int o = 0; o < static_cast<int>(weights.size()); ++o) {
        const auto derivative = [&](int a, int b) {
            std::array<int, 3> orders{};
            if (a >= 0) ++orders[static_cast<std::size_t>(a)];
            if (b >= 0) ++orders[static_cast<std::size_t>(b)];
            return plain_derivative(problem, o, point, orders);
        };
        const double n = weights[static_cast<std::size_t>(o)], psi = derivative(-1, -1);
        density.rho += n * psi * psi;
        for (int a = 0; a < 3; ++a) {
            const double slope = derivative(a, -1);
            density.gradient[a] += 2 * n * psi * slope;
            density.tau += 0.5 * n * slope * slope;
            for (int b = 0; b < 3; ++b)
                density.hessian[a][b] +=
                    2 * n * (slope * derivative(b, -1) + psi * derivative(a, b));
        }
    }
    return density;
}

/// The middle eigenvalue of a symmetric matrix, by Jacobi's rotations.
inline double middle_eigenvalue(const double (&matrix)[3][3]) {
    double m[3][3];
    std::copy(&matrix[0][0], &matrix[0][0] + 9, &m[0][0]);
    for (int sweep = 0; sweep < 30; ++sweep)
        for (int p = 0; p < 2; ++p)
            for (int q = p + 1; q < 3; ++q) {
                const double angle = 0.5 * std::atan2(2 * m[p][q], m[q][q] - m[p][p]);
                const double c = std::cos(angle), s = std::sin(angle);
                for (auto& row : m) {
                    const double at_p = row[p], at_q = row[q];
                    row[p] = c * at_p - s * at_q;
                    row[q] = s * at_p + c * at_q;
                }
                for (int k = 0; k < 3; ++k) {
                    const double at_p = m[p][k], at_q = m[q][k];
                    m[p][k] = c * at_p - s * at_q;
                    m[q][k] = s * at_p + c * at_q;
                }
            }
    double values[3] = {m[0][0], m[1][1], m[2][2]};
    std::sort(values, values + 3);
    return values[1];
}

/// A field of two spin densities. Closed shells have half of the density in each.
inline double plain_field(DerivedField field, const PlainDensity& alpha, const PlainDensity& beta) {
    PlainDensity all = alpha;
    all.rho += beta.rho;
    all.tau += beta.tau;
    for (int a = 0; a < 3; ++a) all.gradient[a] += beta.gradient[a];
    for (int i = 0; i < 9; ++i) (&all.hessian[0][0])[i] += (&beta.hessian[0][0])[i];
    const double uniform = alpha.uniform_gas() + beta.uniform_gas();
    const double chi = (all.tau - alpha.weizsaecker() - beta.weizsaecker()) / uniform;
    switch (field) {
        case DerivedField::gradient_x: return all.gradient[0];
        case DerivedField::gradient_y: return all.gradient[1];
        case DerivedField::gradient_z: return all.gradient[2];
        case DerivedField::gradient_norm: return all.steepness();
        case DerivedField::laplacian: return all.laplacian();
        case DerivedField::tau: return all.tau;
        case DerivedField::tau_laplacian: return all.tau - all.laplacian() / 4;
        case DerivedField::elf: return 1 / (1 + chi * chi);
        case DerivedField::lol: return 1 / (1 + all.tau / uniform);
        case DerivedField::rdg:
            return all.steepness() / (2 * std::cbrt(3 * std::numbers::pi * std::numbers::pi) *
                                      std::pow(all.rho, 4.0 / 3));
        default: return middle_eigenvalue(all.hessian) < 0 ? -all.rho : all.rho;
    }
}

}  // namespace tessera::kernels::testing
