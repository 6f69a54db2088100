// The grid of a run. All frames share it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/uniform_grid.hpp"
#include "io/wavefunctions/wavefunction.hpp"
#include "orbitals/selection/input.hpp"

namespace tessera::orbitals {

/// The largest number of points of a grid (1.1 TB in single precision) and of a plane of constant
/// z.
inline constexpr double most_points = 0x1p38;
inline constexpr double most_plane_points = 0x1p26;

/// Reads `count` lengths and returns them in bohr. The numbers are in Angstrom, or in bohr with the
/// suffix bohr after the list or after a number. With `one_for_all` a single number stands for all.
/// Throws Error naming the option. A length out of range is named in the unit in which it was
/// given.
std::vector<double> parse_lengths(const std::string& option, const std::string& text,
                                  std::size_t count, bool one_for_all = false,
                                  LengthRange range = {});

/// Reads "NX,NY,NZ". Throws Error naming the option.
std::array<std::int64_t, 3> parse_shape(const std::string& option, const std::string& text);

/// The grid of the input, or one that spans the cell of all frames, with a spacing that divides it,
/// or else the bounding box of all nuclei in all frames with the padding around it. Throws Error if
/// there is no such cell, or if the grid has too many points. Allocates nothing.
UniformGrid make_grid(const OrbitalInput& input,
                      const std::vector<const io::Wavefunction*>& frames);

}  // namespace tessera::orbitals
