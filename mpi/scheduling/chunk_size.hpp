// The number of tiles that a node takes from the counter at rank 0. Runs and their simulation share
// this rule.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tessera::mpi {

/// With more nodes than this the counter is busy when all take their last tiles
/// (docs/developer/scheduling.md).
constexpr std::int64_t many_nodes = 512;

/// The smallest chunk. Beyond many_nodes a request fetches tiles for half of the ranks of the node.
inline std::int64_t least_chunk(std::int64_t nodes, std::int64_t ranks_of_node) {
    return std::max<std::int64_t>(1, nodes > many_nodes ? ranks_of_node / 2 : 1);
}

/// Half of the remaining tiles times the node's share of the tiles that were handed out so far, but
/// at most an equal share. The share measures how fast the node is compared with the others.
/// `taken` counts the tiles of this node.
inline std::int64_t chunk_size(std::int64_t tiles, std::int64_t handed_out, std::int64_t taken,
                               std::int64_t nodes, std::int64_t least) {
    const double share =
        static_cast<double>(taken) / static_cast<double>(std::max<std::int64_t>(handed_out, 1));
    const double size = static_cast<double>(tiles - handed_out) *
                        std::min(share, 1.0 / static_cast<double>(nodes)) / 2;
    return std::max(least, static_cast<std::int64_t>(size));
}

}  // namespace tessera::mpi
