// Bounds of the polynomials of a group, and of their derivatives, by degree.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kokkos_kernels/device/block_tools.hpp"
#include "kokkos_kernels/orbitals/orbital_problem.hpp"

namespace tessera::kernels {

inline constexpr int max_degree = 5;                       ///< h functions
inline constexpr int max_bounded_degree = max_degree + 2;  ///< of their second derivatives

/// Index of x^i y^j z^k in the order of OrbitalProblem.
constexpr int monomial_index(int i, int j, int k) {
    const int degree = i + j + k, rest = j + k;
    return degree * (degree + 1) * (degree + 2) / 6 + rest * (rest + 1) / 2 + k;
}

/// Number of coefficients of a group, rounded up so that every group starts on a multiple of four.
constexpr int padded_monomials(int l) { return (monomials(l) + 3) / 4 * 4; }

/// Number of monomials of degree < e. The monomials of degree e begin here.
constexpr int monomials_below(int e) { return e == 0 ? 0 : monomials(e - 1); }

/// Largest values of the monomials x^i y^j z^k on the unit sphere: sqrt(i^i j^j k^k / e^e) with e =
/// i + j + k.
inline const std::array<double, monomials(max_bounded_degree)>& largest_on_sphere() {
    static const auto table = [] {
        std::array<double, monomials(max_bounded_degree)> values{};
        for (int a = 0; a <= max_bounded_degree; ++a)
            for (int b = 0; a + b <= max_bounded_degree; ++b)
                for (int c = 0; a + b + c <= max_bounded_degree; ++c)
                    values[monomial_index(a, b, c)] =
                        std::sqrt(std::pow(a, a) * std::pow(b, b) * std::pow(c, c) /
                                  std::pow(a + b + c, a + b + c));
        return values;
    }();
    return table;
}

/// Bound of the monomials of degree e of a group on the unit sphere: the sum of |c| times the
/// monomial's largest value there. It is infinite if a coefficient is not a number.
inline double degree_bound(const double* row, int e) {
    const double* const largest = largest_on_sphere().data();
    double sum = 0;
    for (int m = monomials_below(e); m < monomials_below(e + 1); ++m)
        sum += std::abs(row[m]) * largest[m];
    return std::isfinite(sum) ? sum : std::numeric_limits<double>::infinity();
}

/// Calls use(e, degree_bound(row, e)) for all degrees up to l.
template <int L, class Use>
void for_degree_bounds(const double* row, const Use& use) {
    TESSERA_UNROLL_ALL
    for (int e = 0; e <= L; ++e) use(e, degree_bound(row, e));
}
template <class Use>
void for_degree_bounds(const double* row, int l, const Use& use) {
    switch (l) {
        case 0: return for_degree_bounds<0>(row, use);
        case 1: return for_degree_bounds<1>(row, use);
        case 2: return for_degree_bounds<2>(row, use);
        case 3: return for_degree_bounds<3>(row, use);
        case 4: return for_degree_bounds<4>(row, use);
        default: return for_degree_bounds<max_degree>(row, use);
    }
}

/// The polynomial q with d/dx_axis (p exp(-exponent r^2)) = q exp(-exponent r^2), in the order of
/// monomial_index(). Its degree is `degree` + 1, where p has `degree` < max_bounded_degree.
using BoundedPolynomial = std::array<double, monomials(max_bounded_degree)>;
inline BoundedPolynomial derivative_polynomial(const double* p, int degree, int axis,
                                               double exponent) {
    BoundedPolynomial q;
    std::fill_n(q.begin(), monomials(degree + 1), 0.0);
    for (int a = 0; a <= degree; ++a)
        for (int b = 0; a + b <= degree; ++b)
            for (int c = 0; a + b + c <= degree; ++c) {
                const double factor = p[monomial_index(a, b, c)];
                int power[3] = {a, b, c};
                const int k = power[axis]++;
                q[monomial_index(power[0], power[1], power[2])] -= 2 * exponent * factor;
                if (k == 0) continue;
                power[axis] -= 2;
                q[monomial_index(power[0], power[1], power[2])] += k * factor;
            }
    return q;
}

/// Calls use(e, degree_bound) for all degrees of a group, and of its derivatives by the axes from
/// `axis` on up to the given order.
template <class Use>
void for_derivative_bounds(const double* row, int degree, double exponent, int order, int axis,
                           const Use& use) {
    for (int e = 0; e <= degree; ++e) use(e, degree_bound(row, e));
    for (; order > 0 && axis < 3; ++axis)
        for_derivative_bounds(derivative_polynomial(row, degree, axis, exponent).data(), degree + 1,
                              exponent, order - 1, axis, use);
}

}  // namespace tessera::kernels
