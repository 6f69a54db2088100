// Orbitals at points that form no grid, in double precision on the host's threads.
#pragma once

#include <span>

#include "kokkos_kernels/orbitals/orbital_problem.hpp"

namespace tessera::python {

/// A problem without screening, whose grid has the box around points x, y, z (bohr). Orbitals are
/// folded into it.
kernels::OrbitalProblem problem_around(std::span<const double> points);

/// psi of every orbital of the problem at points x, y, z (bohr): out[orbital * points + point].
/// Sums all groups, whatever the tolerance of the problem.
void values_at_points(const kernels::OrbitalProblem& problem, std::span<const double> points,
                      std::span<double> out);

/// The sum over the orbitals of weight * psi^2 at every point.
void density_at_points(const kernels::OrbitalProblem& problem, std::span<const double> weights,
                       std::span<const double> points, std::span<double> out);

}  // namespace tessera::python
