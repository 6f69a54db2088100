// The density matrices of a TREXIO file.
#pragma once

#include <string>

#include "io/wavefunctions/trexio_values.hpp"
#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::io {

/// Takes `rdm.1e`, or `rdm.one_e` as older files call it, which is a matrix of the file's orbitals,
/// as the density matrix of the frame's functions. Throws Error if `wanted` is neither "1e" nor
/// "one_e", or if the file has no such matrix.
void read_trexio_density(const TrexioValues& values, const std::string& wanted,
                         Wavefunction& frame);

/// Takes the transition density between the states 0 and `wanted` of `rdm.1e_transition`, which is
/// of the orbitals and of both spins together. Throws Error if the file does not have it.
void read_trexio_transition(const TrexioValues& values, const std::string& wanted,
                            Wavefunction& frame);

}  // namespace tessera::io
