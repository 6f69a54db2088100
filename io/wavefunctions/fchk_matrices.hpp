// Density matrices and transition density matrices of formatted checkpoints.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "io/wavefunctions/fchk_entries.hpp"
#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::io {

/// "Total MP2 Density" for "MP2", in any case. `order` has the index in the file of each basis
/// function. Throws Error with the names that the file has.
DensityMatrix read_fchk_density(const FchkEntries& entries, const TextSource& source,
                                const std::string& wanted, const std::vector<std::size_t>& order);

/// The matrices to the excited state with this number, from 1, of "G to E trans densities". Throws
/// Error with the number of states that the file has.
TransitionDensity read_fchk_transition(const FchkEntries& entries, const TextSource& source,
                                       const std::string& wanted,
                                       const std::vector<std::size_t>& order);

}  // namespace tessera::io
