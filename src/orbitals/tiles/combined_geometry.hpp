// Whether files that are combined have the same geometry.
#pragma once

#include <string>
#include <vector>

#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::orbitals {

/// A wavefunction, and how messages call it.
struct CombinedFile {
    const io::Wavefunction* wavefunction = nullptr;
    std::string name;
};

/// Two atoms of one element are the same if they are not farther apart. Files have at least four
/// decimals.
inline constexpr double same_atom_distance = 1e-3;  ///< bohr

/// The atoms of all files must be among those of the largest file, as those of fragments are. The
/// largest may also be `frame`, the one that is computed. Atoms without charge (ghosts) fit to any
/// element. Returns the largest distance between atoms that count as the same, in bohr. Throws
/// Error, which begins with `what`, for the first atom that has none.
double require_same_atoms(const std::vector<CombinedFile>& files, const CombinedFile& frame,
                          const std::string& what);

/// Throws Error, which begins with `what`, if not all files have the same cell, or none.
void require_same_cells(const std::vector<CombinedFile>& files, const std::string& what);

}  // namespace tessera::orbitals
