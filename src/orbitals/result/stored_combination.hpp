// Combinations as a result file has them, without their grids (docs/reference/hdf5.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/hdf5/h5.hpp"

namespace tessera::orbitals {

/// What a result says about a combination.
struct StoredCombination {
    std::string name, expression;
    bool of_orbitals = false;
    std::vector<double> integrals;    ///< [frame]: electrons in the box, or the norm of an orbital
    std::vector<double> electrons;    ///< [frame], as the occupations say; empty if they do not
    std::vector<double> core_errors;  ///< [frame], core_grid_error(); empty with `electrons`
};

/// Reads all combinations. Empty if the result has none. Throws Error if the file is damaged.
std::vector<StoredCombination> read_combinations(const io::h5::Group& root, std::uint64_t frames);

/// A line for the first frame of each.
std::string combination_lines(const std::vector<StoredCombination>& combinations);

}  // namespace tessera::orbitals
