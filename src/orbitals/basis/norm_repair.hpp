// Known deviations of programs from normalised Molden functions, and how to undo them.
#pragma once

#include <string>
#include <vector>

#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::orbitals {

/// If |C^T S C - 1| is larger, the file breaks the rules or has too few digits.
constexpr double norm_tolerance = 1e-4;

/// One line if a chosen orbital is off by more than norm_tolerance, otherwise empty. The line names
/// the worst orbital and, if it is known, the habit of programs that explains it. `place` follows
/// the file's name.
std::string norm_warning(const io::Wavefunction& wavefunction, const std::vector<int>& orbitals,
                         const std::string& place = {});

/// Tries the known habits of programs and undoes the one that makes all orbitals normalised.
/// Returns its name, or an empty text if there was nothing to repair. Throws Error if no habit
/// fits.
std::string repair_norms(io::Wavefunction& wavefunction);

}  // namespace tessera::orbitals
