// The grid of a run: one for all frames.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/uniform_grid.hpp"
#include "io/wavefunctions/wavefunction.hpp"
#include "orbitals/selection/input.hpp"

namespace tessera::orbitals {

/// Most points of one grid (0.9 TB in single precision) and of one of its planes of constant z.
inline constexpr double most_points = 0x1p38;
inline constexpr double most_plane_points = 0x1p26;

/// Lengths in bohr from a list of `count` numbers in Angstrom, or in bohr with the suffix bohr behind
/// the list or each number. One number alone stands for all. Throws Error naming the option, and what is
/// out of its range in the unit it was given in.
std::vector<double> parse_lengths(const std::string& option, const std::string& text,
                                  std::size_t count, bool one_for_all = false,
                                  LengthRange range = {});

/// "NX,NY,NZ". Throws Error naming the option.
std::array<std::int64_t, 3> parse_shape(const std::string& option, const std::string& text);

/// The grid asked for, or the bounding box of all nuclei of all frames with the padding around it.
/// Throws Error where it has too many points; nothing is allocated.
UniformGrid make_grid(const OrbitalInput& input,
                      const std::vector<const io::Wavefunction*>& frames);

}  // namespace tessera::orbitals
