// A molecule as the potential's kernels see it: point charges and Hermite Gaussians. Plain types.
#pragma once

#include <cstddef>
#include <vector>

#include "core/vec3.hpp"

namespace tessera::kernels {

/// The highest degree of a Hermite Gaussian: a product of two h functions.
inline constexpr int highest_hermite = 10;

/// Hermite Gaussians of degree <= `degree`: (t, u, v) with t + u + v <= degree.
constexpr int hermite_count(int degree) { return (degree + 1) * (degree + 2) * (degree + 3) / 6; }

/// The place of (t, u, v): by degree, then t descending, then u descending, as monomials are
/// ordered (orbital_problem.hpp).
constexpr int hermite_index(int t, int u, int v) {
    const int degree = t + u + v, rest = u + v;
    return degree * (degree + 1) * (degree + 2) / 6 + rest * (rest + 1) / 2 + v;
}

struct PointCharge {
    Vec3 center;  ///< bohr
    double charge = 0;
};

/// The potential of a charge distribution around one centre. With s = sqrt(2 exponent) and
/// x = s (r - center) it is, in hartree per elementary charge,
///     sum over t, u, v of coefficient_tuv * Q_tuv(x),
/// where Q_tuv is (-1)^(t+u+v) times the derivative of F_0(|x|^2 / 2) by the components of x,
/// t, u and v times. F_0 is the Boys function (docs/method/electrostatic-potential.md).
struct HermiteProduct {
    Vec3 center;          ///< bohr
    double exponent = 0;  ///< bohr^-2
    int degree = 0;
    std::size_t first = 0;  ///< its first coefficient; hermite_count(degree) follow each other
};

/// The potential is that of the charges plus that of the products, which are sorted by degree.
struct PotentialProblem {
    std::vector<PointCharge> charges;
    std::vector<HermiteProduct> products;
    std::vector<double> coefficients;
    double neglected = 0;  ///< bound of what screening changes at any point, hartree/e
};

/// At a point charge the potential is infinite. A nearer point counts as being so far away, bohr.
inline constexpr double nearest_charge = 1e-6;

}  // namespace tessera::kernels
