// TREXIO: the text back end (a folder) and the HDF5 back end.
#pragma once

#include "io/wavefunctions/trexio_values.hpp"
#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::io {

/// Makes a wavefunction of the values of a file. Throws Error if something is missing or
/// contradictory, or if the functions are not Gaussians. `path` is for messages.
Wavefunction trexio_wavefunction(const TrexioValues& values, const std::string& path);

/// Reads a folder or an HDF5 file, with its hash, and the wanted matrices of its group `rdm`.
Wavefunction read_trexio(const std::string& path, const WantedMatrices& wanted = {});

}  // namespace tessera::io
