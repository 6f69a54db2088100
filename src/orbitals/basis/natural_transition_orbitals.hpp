// Natural transition orbitals (Martin 2003): pairs of a hole and an electron that make up an
// excitation.
#pragma once

#include <string>
#include <vector>

#include "io/wavefunctions/wavefunction.hpp"
#include "orbitals/basis/dense_matrix.hpp"

namespace tessera::orbitals {

/// A transition density in the orbitals of a frame, [orbital of the hole][orbital of the electron]:
/// one matrix, or one of alpha and one of beta orbitals. Rows and columns are all orbitals of the
/// spin, or rows the occupied ones and columns the empty ones.
struct TransitionMatrices {
    std::string name;  ///< for messages
    std::vector<Matrix> spins;
};

/// Replaces the orbitals of the frame by the natural transition orbitals of its transition density,
/// and adds a line about them to `told`. The hole and the electron of a pair stand side by side,
/// the pairs with the largest weights first, alpha before beta. The weights add up to 1. The
/// occupation of an electron is its weight, and that of a hole the negative weight. Throws Error if
/// the frame has no transition density, or if its orbitals do not span it.
void take_natural_transition_orbitals(io::Wavefunction& frame, std::vector<std::string>& told);

/// Those of given matrices. Throws Error if their shapes do not fit the orbitals of the frame.
void take_natural_transition_orbitals(io::Wavefunction& frame, const TransitionMatrices& given,
                                      std::vector<std::string>& told);

}  // namespace tessera::orbitals
