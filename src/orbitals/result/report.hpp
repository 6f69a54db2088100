// Reads a finished run from its file, and makes its report.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/uniform_grid.hpp"
#include "io/hdf5/h5.hpp"
#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::orbitals {

/// The contents of a result file without its grids.
struct OrbitalResult {
    std::vector<std::int64_t> frames;              ///< 1-based numbers
    std::vector<std::vector<io::Nucleus>> nuclei;  ///< of each frame
    std::vector<std::string> labels;
    std::vector<double> norms, energies, occupations;  ///< [frame, orbital]
    std::int64_t rounded = 0;  ///< in single precision: orbitals that were computed in double
    std::vector<double> density_integrals, spin_integrals;
    UniformGrid grid;
};
OrbitalResult read_orbital_result(const io::h5::Group& root);

/// A table of orbitals, energies and norms of the first frame, with at most `rows` rows.
std::string report_table(const OrbitalResult& result, std::size_t rows);

}  // namespace tessera::orbitals
