// How much is left of an orbital evaluation after screening; for plans.
#pragma once

#include "kokkos_kernels/orbitals/orbital_problem.hpp"

namespace tessera::kernels {

/// Of a whole grid and one orbital, with the tiles and lists of a GPU.
struct ScreenedWork {
    double tile_points =
        0;                ///< of all tiles, the ones that the grid's edge cuts with all of theirs
    double products = 0;  ///< multiply-adds of columns with rows: points times columns
    double rows = 0;      ///< of the polynomials: rows of tiles times monomials
};

/// From lists built on the host as the kernels build them, for all boxes of the grid or a sample of so
/// many, taken to the whole. Throws Error for groups that the kernels cannot do.
ScreenedWork screened_work(const OrbitalProblem& problem, int boxes);

}  // namespace tessera::kernels
