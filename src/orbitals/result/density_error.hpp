// Why the density on a grid does not integrate to the number of electrons.
#pragma once

#include <string>
#include <vector>

#include "core/uniform_grid.hpp"
#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::orbitals {

/// The error, in electrons, of the sum over an endless grid for the density at the nuclei. It is
/// exact for the products of two s primitives on the same atom, which have the sharpest cusps, and
/// leaves out everything else. `weights` has one number for each orbital (density_weights()).
double core_grid_error(const io::Wavefunction& wavefunction, const std::vector<double>& weights,
                       const UniformGrid& grid);

/// Lines that explain the difference between `integral`, the electrons on the grid, and
/// `electrons`, those of the file. `core_error` is core_grid_error(). Empty if they agree within
/// 0.1 %.
std::string explained_integral(double integral, double electrons, double core_error);

}  // namespace tessera::orbitals
