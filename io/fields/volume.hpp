// A scalar field on a grid with its molecule, as input of the writers for other programs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/uniform_grid.hpp"
#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::io {

struct Volume {
    std::string title;  ///< one line
    std::vector<Nucleus> nuclei;
    UniformGrid grid;  ///< bohr
    /// Returns the values of `count` x-layers from `first`, as [z, y, x - first]. Large grids are
    /// read in pieces.
    std::function<std::vector<double>(std::int64_t first, std::int64_t count)> read;
};

/// Calls `row(values)` for each line along z, x slowest, then y: the order of cube and OpenDX
/// files.
void for_each_row(const Volume& volume,
                  const std::function<void(const std::vector<double>& values)>& row);

/// Appends the value in C's format "%13.5E".
void append_scientific(std::string& text, double value);

}  // namespace tessera::io
