// Reads a finished run from its file, and makes its report.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/uniform_grid.hpp"
#include "io/hdf5/h5.hpp"
#include "io/text/value_table.hpp"
#include "io/wavefunctions/wavefunction.hpp"
#include "orbitals/result/stored_combination.hpp"

namespace tessera::orbitals {

/// The contents of a result file without its grids.
struct OrbitalResult {
    std::vector<std::int64_t> frames;                  ///< 1-based numbers
    std::vector<std::vector<io::Nucleus>> nuclei;      ///< of each frame
    std::vector<std::string> labels, spins;            ///< of each orbital; "alpha" or "beta"
    std::vector<double> norms, energies, occupations;  ///< [frame, orbital]; energies in hartree
    std::vector<std::int64_t> numbers;  ///< [frame, orbital], position in the file, from 1
    /// [frame, orbital], labels of the files. Empty if no file tells orbitals apart by symmetry.
    std::vector<std::string> symmetries;
    std::int64_t rounded = 0;  ///< in single precision: orbitals that were computed in double
    std::vector<double> density_integrals, spin_integrals;  ///< electrons in each frame's box
    std::vector<double> mean_integrals;  ///< likewise, of the densities whose mean is there
    /// Electrons of the file, and core_grid_error(), for each frame. Empty in files of early
    /// versions.
    std::vector<double> density_electrons, density_core_errors;
    std::vector<std::string> fields;  ///< names of derived fields, and of the potential
    std::vector<StoredCombination> combinations;
    std::vector<std::string> empty_surfaces;  ///< names of those of the first frame
    std::int64_t points = 0;                  ///< where the potential is known beside the grid
    bool in_cells = false;                    ///< whether the first frame is periodic
    UniformGrid grid;
    /// How far stored values may lie from computed ones, in the unit of each grid, and how many
    /// times smaller the grids became. 0: they were not rounded.
    double largest_error = 0, compression_ratio = 1;
};
OrbitalResult read_orbital_result(const io::h5::Group& root);

/// The same without the nuclei, which lie in a group for each frame. This is fast for any number of
/// frames.
OrbitalResult read_without_nuclei(const io::h5::Group& root);

/// A table of orbitals, energies and norms of the first frame, with at most `rows` rows.
std::string report_table(const OrbitalResult& result, std::size_t rows);

/// A row for each orbital of each frame, with at most `most` rows of each frame.
io::ValueTable orbital_table(OrbitalResult result, std::int64_t most);

/// A row for each point of each frame, with at most `most` rows of each frame: the potential in
/// hartree/e and the point in bohr. Throws Error if the result has none.
io::ValueTable point_table(const io::h5::Group& root, std::int64_t most);

/// Everything but the nuclei and the grids as JSON.
std::string to_json(const OrbitalResult& result);

}  // namespace tessera::orbitals
