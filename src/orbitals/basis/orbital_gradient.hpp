// Derivatives of orbitals as orbitals of other basis functions.
#pragma once

#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::orbitals {

/// The same frame with orbitals that are the derivatives of its orbitals along axis 0, 1 or 2, in
/// bohr^-5/2. The derivative of a primitive of degree l has parts of the degrees l - 1 and l + 1
/// with the same exponent. Throws Error for h functions, whose derivatives are beyond the degrees
/// that can be evaluated.
io::Wavefunction gradient_along(const io::Wavefunction& frame, int axis);

}  // namespace tessera::orbitals
