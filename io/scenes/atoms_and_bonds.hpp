// How atoms and bonds are drawn. Lengths in Angstrom.
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::io {

inline constexpr double drawn_bond_radius = 0.09;
double drawn_atom_radius(int atomic_number);

/// Red, green and blue from 0 to 255, as on a screen (sRGB).
std::array<int, 3> element_color(int atomic_number);

/// Pairs of nuclei that are no farther apart than 1.25 times the sum of their covalent radii
/// (Cordero et al., Dalton Trans. (2008) 2832). Ghost atoms have no bonds.
std::vector<std::pair<std::size_t, std::size_t>> bonds_of(const std::vector<Nucleus>& nuclei);

}  // namespace tessera::io
