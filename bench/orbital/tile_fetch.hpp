// The cost of fetching a tile.
#pragma once

#include "mpi/communicator.hpp"

namespace tessera::bench {

/// Seconds per tile that the slowest rank waits while all ranks only fetch tiles. Collective.
double tile_fetch_seconds(const mpi::Communicator& world, int tiles_a_rank);

}  // namespace tessera::bench
