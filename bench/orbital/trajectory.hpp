// Isosurfaces along a trajectory, from wavefunctions in memory to meshes in memory.
#pragma once

#include "bench/orbital/bench_case.hpp"
#include "bench/orbital/bench_table.hpp"
#include "kokkos_kernels/orbitals/orbital_evaluator.hpp"

namespace tessera::bench {

/// Prints frames per second and the parts of a frame's time, on grids of 0.15 and 0.075 Angstrom.
void time_trajectory(const BenchCase& molecule, const Options& options,
                     kernels::OrbitalEvaluator& evaluator);

}  // namespace tessera::bench
