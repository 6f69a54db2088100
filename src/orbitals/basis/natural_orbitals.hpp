// Natural orbitals of a density matrix (Loewdin 1955).
#pragma once

#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::orbitals {

/// Replaces the orbitals of the frame by the natural ones of its density matrix, those with the
/// largest occupations first, and adds a line about it to `told`. They have neither energies nor
/// spins. Throws Error if the frame has no density matrix, or if its orbitals do not span it.
void take_natural_orbitals(io::Wavefunction& frame, std::vector<std::string>& told);

}  // namespace tessera::orbitals
