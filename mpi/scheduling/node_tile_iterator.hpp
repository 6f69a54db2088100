// Hands out the tiles of a run to ranks as they ask: nodes take chunks from a counter at rank 0,
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

/// For tests, but for the deadline; the defaults are what runs use.
struct NodeTileOptions {
    int ranks_per_fake_node = 0;                ///< > 0: pretend that nodes have so many ranks
    std::optional<std::uint64_t> shuffle_seed;  ///< hand tiles out in this random order
    bool answer_while_computing = true;         ///< rank 0 answers other nodes (RequestServer)
    bool as_between_machines = false;           ///< ask rank 0 by messages (RemoteCounters)
    TileDeadline deadline;                      ///< off; commands turn it on
};

/// Every tile is handed out once over all ranks, in ascending order of the list unless shuffled, and
/// again only where it was given back. Chunks: first one tile a rank, then half of what is left times
/// the node's share of what has been handed out so far (at most an equal share): fast nodes take large
/// chunks, all chunks shrink towards the end. Which rank gets a tile depends on timing, results must
/// not.
///
/// A rank holds the tile that next() gave it until it says finished() or give_back(), or asks for the
/// next one, which says finished(). While any rank holds a tile the others stay in next(): they may be
/// needed for it. So every rank must call next() until it gives nullopt, or abandon().
///
/// A rank that is late with its tile (TileDeadline) goes on, but another one is given the same tile; who
/// finishes it first, counts. Where all ranks but late ones have waited for too long the run is stuck:
/// processes that see it end, with exit code 75 (docs/developer/scheduling.md).
///
/// Construction and destruction are collective; the members in between are local. With several nodes
/// rank 0 makes no MPI call of its own while it holds a tile (RequestServer), with a deadline no rank.
class NodeTileIterator {
  public:
    /// The same tiles in the same order on all ranks; fewer than 2^32.
    NodeTileIterator(const Communicator& communicator, std::vector<Tile> tiles,
                     const NodeTileOptions& options = {});
    NodeTileIterator(const NodeTileIterator&) = delete;
    NodeTileIterator& operator=(const NodeTileIterator&) = delete;

    /// The next tile; nullopt when all tiles of all ranks are finished or someone has called abandon().
    std::optional<Tile> next();

    /// The tile this rank holds is done. False where another rank has done it by now: then this one's
    /// result does not count.
    bool finished();

    /// The tile this rank holds failed here; it will not be offered to this rank again. `leaves`: this
    /// rank shall get no tile any more, and next() only waits for the others. Not accepted where no
    /// rank is left for this tile or, with `leaves`, for any other.
    HandedOn give_back(TileFault fault, bool leaves);

    /// No rank of this node gets a tile any more; other nodes stop when they look at the counters.
    void abandon();

    /// `look` is called now and then while next() waits for others.
    void while_waiting(std::function<void()> look) { while_waiting_ = std::move(look); }

    /// Tiles finished so far, for progress. With several nodes what others have said by now: they do
    /// when they take a chunk and once a second. Asked on rank 0; elsewhere: known to this node.
    std::int64_t tiles_finished();
    /// Ranks that neither wait for others nor have left, as tiles_finished() knows it.
    std::int64_t ranks_busy();

    int nodes() const { return nodes_; }
    std::int64_t tiles_total() const { return static_cast<std::int64_t>(tiles_.size()); }

  private:
    struct NodeState;  // what the ranks of a node share
    struct HeldTile;   // likewise, of one rank
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
    std::int64_t lines_seen_ = 0;  ///< of the log of returned tiles
    bool left_ = false;
    std::function<void()> while_waiting_;
    TileDeadline deadline_;
    TileTimes times_;                               ///< of this rank's tiles
    std::int64_t next_look_ = 0, still_since_ = 0;  ///< 0: something moves
    std::int64_t settled_then_ = 0;
    std::unique_ptr<RequestServer> server_;  ///< what is done while a tile is computed
};

}  // namespace tessera::mpi
