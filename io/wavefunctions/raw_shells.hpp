// Shells whose primitives or functions are not normalised, as formats with factors of their own
// have them.
#pragma once

#include "io/wavefunctions/cartesian_order.hpp"
#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::io {

/// The factor N with integral N^2 r^(2l+2) exp(-2 a r^2) dr = 1.
double radial_norm(int l, double exponent);

/// Turns coefficients of exp(-a r^2) into those of normalised primitives. Returns the factor of
/// the given radial function over the normalised one. The primitives must not cancel.
double normalise_primitives(BasisShell& shell);

/// The factor that normalises x^i y^j z^k times a normalised radial function.
double monomial_norm(const CartesianPowers& powers);

}  // namespace tessera::io
