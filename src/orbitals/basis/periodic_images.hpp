// The images of a periodic system's basis functions in neighbouring cells.
#pragma once

#include <cstddef>

#include "core/lattice.hpp"
#include "kokkos_kernels/orbitals/orbital_problem.hpp"

namespace tessera::orbitals {

/// Adds the images of all groups that matter in the box of problem.grid, with copies of their
/// coefficients, so that orbitals are sums over all cells (the Gamma point). What is left out adds
/// up to at most a hundredth of the tolerance at every point of the box, also for derivatives up to
/// problem.derivatives. The tolerance is reduced by as much; for 0 the bound is 1e-14. Throws Error
/// if the images are too many.
void add_images(const Lattice& lattice, kernels::OrbitalProblem& problem);

/// How large a problem is with its images.
struct ProblemSize {
    std::size_t groups = 0;
    std::size_t coefficients = 0;  ///< of an orbital
};
/// What add_images() would make of the problem. Throws Error if it would have too many groups.
ProblemSize size_with_images(const Lattice& lattice, const kernels::OrbitalProblem& problem);

/// Throws Error if more than two million images of functions matter.
void require_few_images(double images);

}  // namespace tessera::orbitals
