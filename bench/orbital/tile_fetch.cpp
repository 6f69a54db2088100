#include "bench/orbital/tile_fetch.hpp"

#include <algorithm>
#include <chrono>

#include "core/tile.hpp"
#include "mpi/scheduling/node_tile_iterator.hpp"

namespace tessera::bench {

double tile_fetch_seconds(const mpi::Communicator& world, int tiles_a_rank) {
    const std::int64_t count = std::int64_t{tiles_a_rank} * world.size();
    mpi::NodeTileIterator tiles(world, cut_into_tiles(count, 1));
    world.barrier();
    const auto start = std::chrono::steady_clock::now();
    std::int64_t mine = 0;
    while (tiles.next()) ++mine;
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const auto all = world.allgather(mine > 0 ? seconds / static_cast<double>(mine) : 0.0);
    return *std::max_element(all.begin(), all.end());
}

}  // namespace tessera::bench
