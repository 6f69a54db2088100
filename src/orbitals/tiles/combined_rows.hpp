// Combinations of densities and orbitals, frame by frame, as one set of orbitals with weights.
#pragma once

#include <optional>
#include <vector>

#include "orbitals/tiles/prepare.hpp"

namespace tessera::orbitals {

/// The combination is the sum over the orbitals of weight * psi, or of weight * psi^2.
struct CombinedRows {
    io::Wavefunction wavefunction;  ///< the atoms and functions of all files, and the rows
    std::vector<double> weights;    ///< [orbital]
    bool of_squares = false;
    std::optional<double> electrons;  ///< that densities hold; nothing if there are products
    double displacement = 0;  ///< the largest distance of atoms that count as the same, bohr
};

/// Makes the rows of a combination (its index) for a frame (its index). All products of orbitals
/// become squares: p q = ((p + q)^2 - (p - q)^2) / 4. Throws Error if a file lacks an orbital, if
/// the atoms of a file are not among those of the largest file, unless the user allows this, or if
/// a sum of orbitals has several basis sets.
CombinedRows combine(const PreparedOrbitals& prepared, std::size_t frame, std::size_t combination);

}  // namespace tessera::orbitals
