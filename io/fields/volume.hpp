// A scalar field on a grid with its molecule, as input of the writers for other programs.
#pragma once

#include <array>
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
    /// Returns the values of a box, x fastest. `begin` and `shape` are in (x, y, z). Large grids
    /// are read in pieces.
    std::function<std::vector<double>(const std::array<std::int64_t, 3>& begin,
                                      const std::array<std::int64_t, 3>& shape)>
        read;
    std::string name = {}, units = {};  ///< of the values
    bool is_single = false;             ///< all values are numbers of single precision
};

/// Calls `row(values)` for each line along z, x slowest, then y: the order of cube and OpenDX
/// files.
void for_each_row(const Volume& volume,
                  const std::function<void(const std::vector<double>& values)>& row);

/// Calls `planes(first, values)` for groups of whole planes in order of z, with x as the fastest
/// axis: the order of VTK's files.
void for_each_planes(
    const Volume& volume,
    const std::function<void(std::int64_t first, const std::vector<double>& values)>& planes);

/// Appends the value in C's format "%13.5E".
void append_scientific(std::string& text, double value);

}  // namespace tessera::io
