// Hands out the tiles of a run to ranks on request. Nodes take chunks from a counter at rank 0, and
// ranks take tiles from their node's chunk. A slow rank or node simply asks less often.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/tile.hpp"
#include "core/tile_deadline.hpp"
#include "core/tile_fault.hpp"
#include "mpi/communicator.hpp"
#include "mpi/request_server.hpp"
#include "mpi/scheduling/returned_tiles.hpp"
#include "mpi/scheduling/tile_range.hpp"
#include "mpi/window.hpp"

namespace tessera::mpi {

/// Options for tests, except the deadline. Runs use the other defaults.
struct NodeTileOptions {
    int ranks_per_fake_node = 0;                ///< > 0: treat this many ranks as a node
    std::optional<std::uint64_t> shuffle_seed;  ///< hand tiles out in this random order
    bool answer_while_computing = true;         ///< rank 0 answers other nodes (RequestServer)
    bool as_between_machines = false;           ///< ask rank 0 by messages (RemoteCounters)
    TileDeadline deadline;                      ///< off by default; commands turn it on
};

/// Every tile is handed out once over all ranks, in ascending order of the list unless shuffled. A
/// tile is handed out again only if it was given back. The first chunk has one tile for each rank.
/// Later chunks are half of the remaining tiles times the node's share of the tiles that were
/// handed out so far (at most an equal share). Fast nodes therefore take large chunks, and all
/// chunks shrink towards the end. Which rank gets a tile depends on timing; results must not.
///
/// A rank holds the tile that next() returned until it calls finished() or give_back(). Another
/// next() calls finished() itself. While any rank holds a tile, the others stay in next(), because
/// they may have to take over the tile. So every rank must call next() until it returns nullopt, or
/// call abandon().
///
/// A rank that is late with its tile (TileDeadline) continues, but another rank gets the same tile.
/// The result of the rank that finishes first counts. If all ranks except late ones have waited for
/// too long, the run is stuck. Processes that detect this end with exit code 75
/// (docs/developer/scheduling.md).
///
/// Construction and destruction are collective; the other members are local. With several nodes,
/// rank 0 makes no MPI call of its own while it holds a tile (RequestServer). With a deadline, this
/// holds for all ranks.
class NodeTileIterator {
  public:
    /// All ranks pass the same tiles in the same order; fewer than 2^32.
    NodeTileIterator(const Communicator& communicator, std::vector<Tile> tiles,
                     const NodeTileOptions& options = {});
    NodeTileIterator(const NodeTileIterator&) = delete;
    NodeTileIterator& operator=(const NodeTileIterator&) = delete;

    /// The next tile, or nullopt when all tiles of all ranks are finished or a rank has called
    /// abandon().
    std::optional<Tile> next();

    /// Reports that this rank's tile is done. Returns false if another rank has finished the tile
    /// first. Then this rank's result does not count.
    bool finished();

    /// Reports that this rank's tile failed here. The tile is not offered to this rank again. With
    /// `leaves`, this rank gets no further tile, and next() only waits for the others. Not accepted
    /// if no rank is left for this tile or, with `leaves`, for any other tile.
    HandedOn give_back(TileFault fault, bool leaves);

    /// No rank of this node gets another tile. Other nodes stop when they next read the counters.
    void abandon();

    /// `look` is called repeatedly while next() waits for others.
    void while_waiting(std::function<void()> look) { while_waiting_ = std::move(look); }

    /// The number of finished tiles, for progress. With several nodes it includes what the others
    /// have reported. They report when they take a chunk and once a second. On rank 0 it covers all
    /// nodes, elsewhere what this node knows.
    std::int64_t tiles_finished();
    /// Ranks that neither wait nor have left, with the same limits as tiles_finished().
    std::int64_t ranks_busy();

    int nodes() const { return nodes_; }
    std::int64_t tiles_total() const { return static_cast<std::int64_t>(tiles_.size()); }

  private:
    struct NodeState;  // shared by the ranks of a node
    struct HeldTile;   // shared by them too, one for each rank
    class Waiting;

    void describe_nodes(const Communicator& communicator);
    void start_node();
    const Communicator& node_ranks() const { return fake_node_ ? *fake_node_ : machine_; }
    std::optional<Tile> hold(std::uint32_t position, std::optional<std::int64_t> copy_of = {});
    std::optional<Tile> take_fresh_or_failed();
    std::optional<Tile> take_from_chunk();
    std::optional<Tile> take_failed();
    void report_now_and_then();
    bool alone_at_counters(const std::function<void()>& work);
    bool try_refill();
    void refill();
    void fetch_chunk();
    void fetch_left_over();
    void hand_over_chunk();
    std::vector<std::int64_t> exchange();
    std::int64_t size_of_next_chunk(std::int64_t handed_out) const;
    std::int64_t read_of_world(int counter);
    bool may_take(const ReturnedRange& line) const;

    // Late tiles (node_tile_deadline.cpp).
    HeldTile& held_by(int rank_of_node) const;
    HeldTile& mine() const { return held_by(node_ranks().rank()); }
    void start_watch();
    void show_held(std::uint32_t position, std::optional<std::int64_t> copy_of);
    std::optional<std::int64_t> put_down();
    void look_for_late_tiles();
    bool any_late(std::int64_t now) const;
    void mark_late(std::int64_t now);
    std::int64_t lend(const HeldTile& held, std::uint64_t word);
    std::int64_t tiles_held() const;
    bool nothing_moves() const;
    void end_if_stuck(std::int64_t now);
    void end_stuck();
    std::string name_of(const HeldTile& held, std::uint64_t word) const;

    std::vector<Tile> tiles_;
    Communicator world_;
    Communicator machine_;
    std::optional<Communicator> fake_node_;
    int nodes_ = 1;
    std::int64_t first_of_node_ = 0;  ///< tiles of the first chunk lie at [first, first + ranks)
    SharedMemory memory_;
    NodeState* state_ = nullptr;
    RemoteCounters counters_;
    ReturnedTiles returned_;
    std::optional<std::uint32_t> held_;
    std::set<std::uint32_t> failed_here_;
    std::int64_t lines_seen_ = 0;  ///< lines of the log of returned tiles
    bool left_ = false;
    std::function<void()> while_waiting_;
    TileDeadline deadline_;
    TileTimes times_;                               ///< times of this rank's tiles
    std::int64_t next_look_ = 0, still_since_ = 0;  ///< still_since_ is 0 while the run progresses
    std::int64_t settled_then_ = 0;
    std::unique_ptr<RequestServer> server_;  ///< works while a tile is computed
};

}  // namespace tessera::mpi
