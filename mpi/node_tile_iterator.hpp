// Hands out the tiles of a run to ranks as they ask: nodes take chunks from a counter at rank 0,
// ranks take tiles from their node's chunk. A slow rank or node simply asks less often.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/tile.hpp"
#include "mpi/communicator.hpp"
#include "mpi/window.hpp"

namespace tessera::mpi {

/// For tests; the defaults are what runs use.
struct NodeTileOptions {
    int ranks_per_fake_node = 0;                ///< > 0: pretend that nodes have so many ranks
    std::optional<std::uint64_t> shuffle_seed;  ///< hand tiles out in this random order
};

/// Every tile is handed out exactly once over all ranks, in ascending order of the list unless
/// shuffled. Chunks: first one tile a rank, then half of what is left times the node's share of
/// what has been handed out so far (at most an equal share): fast nodes take large chunks, all
/// chunks shrink towards the end. Which rank gets a tile depends on timing, results must not.
/// Construction and destruction are collective; the members in between are local.
class NodeTileIterator {
  public:
    /// The same tiles in the same order on all ranks; fewer than 2^32.
    NodeTileIterator(const Communicator& communicator, std::vector<Tile> tiles,
                     const NodeTileOptions& options = {});
    NodeTileIterator(const NodeTileIterator&) = delete;
    NodeTileIterator& operator=(const NodeTileIterator&) = delete;

    /// The next tile, nullopt when all have been handed out or someone has called abandon().
    std::optional<Tile> next();

    /// No rank of this node gets a tile any more; other nodes finish the chunk they hold.
    void abandon();

    /// Tiles handed out so far, for progress. Exact on a single node; with several it is asked on
    /// rank 0 and counts its own node's tiles, and other nodes' by finished chunks (an estimate
    /// from below). Elsewhere than on rank 0 of several nodes: this node's tiles.
    std::int64_t tiles_handed_out();

    const Communicator& node() const { return node_; }  ///< ranks of this node; its rank() binds
    int nodes() const { return nodes_; }
    std::int64_t tiles_total() const { return static_cast<std::int64_t>(tiles_.size()); }

  private:
    struct NodeState;  // what the ranks of a node share

    void describe_nodes(const Communicator& communicator);
    std::optional<Tile> take_from_chunk();
    void refill();
    void fetch_chunk();
    std::int64_t size_of_next_chunk(std::int64_t handed_out) const;
    void wait_for_refill() const;
    void serve_requests() const;

    std::vector<Tile> tiles_;
    Communicator world_;
    Communicator node_;
    int nodes_ = 1;
    std::int64_t first_of_node_ = 0;  ///< tiles of the first chunk lie at [first, first + ranks)
    SharedMemory memory_;
    NodeState* state_ = nullptr;
    std::optional<RemoteCounters> counters_;  ///< only where there are several nodes
};

}  // namespace tessera::mpi
