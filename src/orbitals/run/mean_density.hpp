// The mean density of a trajectory: sums over blocks of frames become one grid over all ranks.
#pragma once

#include <vector>

#include "engine/run_tiles.hpp"
#include "kokkos_kernels/device/device.hpp"
#include "mpi/communicator.hpp"
#include "orbitals/result/output.hpp"

namespace tessera::orbitals {

/// Collective, after the tiles of `run`, when all journals are closed. Returns the mean over all
/// frames, [z][y][x] in bohr^-3, on rank 0, and nothing on the others. The sums of all ranks meet
/// on the GPUs if every rank has one, and else in host memory. The bits depend neither on that nor
/// on the number of ranks (mpi/collectives). `backend`: of this rank.
std::vector<double> mean_density(const mpi::Communicator& world, kernels::Backend backend,
                                 const PreparedOrbitals& prepared, const OrbitalOutput& output,
                                 const TileRun<OrbitalSum>& run);

}  // namespace tessera::orbitals
