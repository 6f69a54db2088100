// Measures overheads when there is nothing to compute.
#pragma once

#include "bench/orbital/bench_table.hpp"
#include "kokkos_kernels/device/device.hpp"
#include "kokkos_kernels/orbitals/orbital_evaluator.hpp"
#include "mpi/communicator.hpp"

namespace tessera::bench {

/// Prints microseconds of a tile from the counter, of a kernel launch, and of passes over nearly
/// nothing. Collective, but kernels run on rank 0 alone.
void time_latencies(const mpi::Communicator& world, const Options& options,
                    const kernels::DeviceInfo& device, kernels::OrbitalEvaluator& evaluator);

}  // namespace tessera::bench
