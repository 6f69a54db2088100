// How much work of an orbital evaluation is left after screening. Plans need it.
#pragma once

#include "kokkos_kernels/orbitals/orbital_problem.hpp"

namespace tessera::kernels {

/// The work of a whole grid and one orbital, with the tiles and lists of a GPU.
struct ScreenedWork {
    double tile_points = 0;  ///< points of all tiles, including the points beyond the grid's edge
    double products = 0;     ///< multiply-adds of columns with rows: points times columns
    double rows = 0;         ///< for the polynomials: rows of tiles times monomials
};

/// Builds the lists on the host as the kernels do, for all boxes of the grid or for a sample of
/// `boxes` of them. A sample is scaled to the whole grid. Throws Error for groups that the kernels
/// cannot evaluate.
ScreenedWork screened_work(const OrbitalProblem& problem, int boxes);

}  // namespace tessera::kernels
