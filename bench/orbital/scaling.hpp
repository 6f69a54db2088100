// The tile queue of a run over several ranks, without files.
#pragma once

#include "bench/orbital/bench_case.hpp"
#include "bench/orbital/bench_table.hpp"
#include "kokkos_kernels/orbitals/orbital_evaluator.hpp"
#include "mpi/communicator.hpp"

namespace tessera::bench {

/// Prints seconds of one and of many orbitals on the fine grid over all ranks, from barrier to
/// barrier. They include folding, loading and tiles, and grids stay on the devices. Also prints the
/// ranks' shares and a digest of the norms' bits. Collective.
void time_scaling(const mpi::Communicator& world, const BenchCase& molecule, int orbitals,
                  const Options& options, kernels::OrbitalEvaluator& evaluator);

}  // namespace tessera::bench
