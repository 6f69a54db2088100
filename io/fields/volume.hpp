// One scalar field on a grid with its molecule, as the writers of other programs' formats take it.
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
    /// Values of `count` x-layers from `first`, [z, y, x - first]: large grids come in pieces.
    std::function<std::vector<double>(std::int64_t first, std::int64_t count)> read;
};

/// Calls `row(values)` for each line along z, x slowest, y next: the order of cube and OpenDX files.
void for_each_row(const Volume& volume,
                  const std::function<void(const std::vector<double>& values)>& row);

/// "%13.5E" of C.
void append_scientific(std::string& text, double value);

}  // namespace tessera::io
