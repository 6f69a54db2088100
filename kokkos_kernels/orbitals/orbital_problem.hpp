// What an orbital evaluation computes. These are plain host types without Kokkos.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/uniform_grid.hpp"

namespace tessera::kernels {

/// All primitives of one atom with one exponent, with shells of any l merged. In an orbital the
/// group contributes polynomial(x - X, y - Y, z - Z) * exp(-exponent |r - R|^2), with a polynomial
/// of degree <= l.
struct PrimitiveGroup {
    Vec3 center;          ///< bohr
    double exponent = 0;  ///< bohr^-2
    int l = 0;            ///< highest degree
    int first = 0;        ///< its first monomial in a row of coefficients
};

/// Monomials x^i y^j z^k of degree <= l: (l+1)(l+2)(l+3)/6, by degree d, then i descending, then j
/// descending: 1, x, y, z, xx, xy, xz, yy, yz, zz, xxx, ...
constexpr int monomials(int l) { return (l + 1) * (l + 2) * (l + 3) / 6; }

/// Orbitals of one frame on one grid. psi_o(r) = sum over groups g, monomials m of
///     coefficients[o][first_g + m] * m(r - R_g) * exp(-a_g |r - R_g|^2).
/// The coefficients include all normalisation.
struct OrbitalProblem {
    std::vector<PrimitiveGroup> groups;
    std::vector<std::vector<double>> coefficients;  ///< [orbital][sum of monomials]
    UniformGrid grid;                               ///< bohr
    double tolerance =
        1e-6;             ///< largest error by screening at any point, bohr^-3/2; 0: no screening
    int derivatives = 0;  ///< the tolerance also holds for derivatives up to this order (0 to 2),
                          ///< per bohr or per bohr^2
    bool double_precision = false;
};

/// A box of grid points: begin <= index < begin + shape in (x, y, z).
struct PointBlock {
    std::array<std::int64_t, 3> begin{0, 0, 0};
    std::array<std::int64_t, 3> shape{0, 0, 0};
    std::int64_t size() const { return shape[0] * shape[1] * shape[2]; }
};

}  // namespace tessera::kernels
