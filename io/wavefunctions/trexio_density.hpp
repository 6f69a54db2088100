// The density matrix of a TREXIO file.
#pragma once

#include <string>

#include "io/wavefunctions/trexio_values.hpp"
#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::io {

/// Takes `rdm.one_e`, which is a matrix of the file's orbitals, as the density matrix of the
/// frame's functions. Throws Error if `wanted` is not "one_e", or if the file has no such matrix.
void read_trexio_density(const TrexioValues& values, const std::string& wanted,
                         Wavefunction& frame);

}  // namespace tessera::io
