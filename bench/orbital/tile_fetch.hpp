// The price of a tile.
#pragma once

#include "mpi/communicator.hpp"

namespace tessera::bench {

/// Seconds that the slowest rank waits for a tile while all ranks do nothing but fetch. Collective.
double tile_fetch_seconds(const mpi::Communicator& world, int tiles_a_rank);

}  // namespace tessera::bench
