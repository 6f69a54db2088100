// Normalisation of Gaussian basis functions and their angular parts.
// docs/reference/wavefunctions.md has the formulas.
#pragma once

#include <vector>

#include "io/wavefunctions/cartesian_order.hpp"
#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::orbitals {

/// The factor N with integral N^2 r^(2l+2) exp(-2 a r^2) dr = 1. The exponent a is in bohr^-2.
double primitive_norm(int l, double exponent);

/// The coefficients of the primitives exp(-a_p r^2) in the normalised radial function of the shell:
/// S^(-1/2) c_p N(l, a_p).
std::vector<double> radial_coefficients(const io::BasisShell& shell);

/// The factor that normalises x^i y^j z^k times a normalised radial function.
double cartesian_norm(const io::CartesianPowers& powers);

/// The place of x^i y^j z^k among the monomials of its degree: xx, xy, xz, yy, yz, zz.
constexpr int place_in_degree(const io::CartesianPowers& powers) {
    const int rest = powers[1] + powers[2];
    return rest * (rest + 1) / 2 + powers[2];
}

/// The angular functions of a shell. Each row holds the coefficients of the (l+1)(l+2)/2 monomials
/// of degree l, in the order of place_in_degree. The functions are Cartesian in the order of
/// io::cartesian_order, or the real solid harmonics m = 0, +1, -1, ... (for p: x, y, z), normalised
/// and without the Condon-Shortley sign.
std::vector<std::vector<double>> angular_functions(int l, bool spherical);

}  // namespace tessera::orbitals
