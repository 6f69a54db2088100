// Transition densities of the orbitals of a wavefunction, from a file of the user.
#pragma once

#include <string>

#include "orbitals/basis/natural_transition_orbitals.hpp"

namespace tessera::orbitals {

struct TransitionFile {
    TransitionMatrices matrices;
    std::string sha256;  ///< of the file
};

/// Reads a row of a matrix from each line, numbers separated by commas or blanks. Empty lines and
/// lines that begin with # are skipped. If the wavefunction has beta orbitals, their matrix follows
/// that of the alpha orbitals. Throws Error naming file and line.
TransitionFile read_transition_file(const std::string& path, const io::Wavefunction& frame);

}  // namespace tessera::orbitals
