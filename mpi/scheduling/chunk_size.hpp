// How many tiles a node takes from the counter of all nodes: the rule that runs and its simulation share.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tessera::mpi {

/// With so many nodes the counter is busy when all take their last tiles (docs/developer/scheduling.md).
constexpr std::int64_t many_nodes = 512;

/// The smallest chunk: beyond many_nodes a request brings tiles for half of the node's ranks.
inline std::int64_t least_chunk(std::int64_t nodes, std::int64_t ranks_of_node) {
    return std::max<std::int64_t>(1, nodes > many_nodes ? ranks_of_node / 2 : 1);
}

/// Half of what is left times the node's share of the tiles handed out so far, which is how fast it is
/// beside the others; at most an equal share. `taken`: by this node.
inline std::int64_t chunk_size(std::int64_t tiles, std::int64_t handed_out, std::int64_t taken,
                               std::int64_t nodes, std::int64_t least) {
    const double share =
        static_cast<double>(taken) / static_cast<double>(std::max<std::int64_t>(handed_out, 1));
    const double size = static_cast<double>(tiles - handed_out) *
                        std::min(share, 1.0 / static_cast<double>(nodes)) / 2;
    return std::max(least, static_cast<std::int64_t>(size));
}

}  // namespace tessera::mpi
