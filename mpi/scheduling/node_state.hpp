// What the ranks of a node share about the tiles of a run; included by node_tile_iterator alone.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

#include "core/tile.hpp"
#include "mpi/scheduling/node_tile_iterator.hpp"

namespace tessera::mpi {

/// Lives in memory shared by the node's ranks. Lock-free atomics work across processes.
struct NodeTileIterator::NodeState {
    std::atomic<std::uint64_t> chunk;         ///< a TileRange's word
    std::atomic<std::uint32_t> refilling;     ///< 1: one rank is at the counters of rank 0
    std::atomic<std::uint32_t> exhausted;     ///< 1: no position is left at rank 0
    std::atomic<std::uint32_t> abandoned;     ///< 1: no tile shall be handed out any more
    std::atomic<std::uint32_t> complete;      ///< 1: all tiles of the run are finished
    std::atomic<std::int64_t> taken;          ///< positions this node has taken in all
    std::atomic<std::int64_t> settled;        ///< tiles that ranks of this node have finished
    std::atomic<std::int64_t> settled_said;   ///< of these, what rank 0 has been told
    std::atomic<std::int64_t> world_settled;  ///< what rank 0 knew when last asked
    std::atomic<std::int64_t> waiting;        ///< ranks without a tile
    std::atomic<std::int64_t> waiting_said;   ///< likewise, as rank 0 has been told
    std::atomic<std::int64_t> ranks_left;     ///< ranks that still take tiles
    std::atomic<std::int64_t> lines;          ///< of the log of returned tiles, as far as known
    std::atomic<std::int64_t>
        left_over_seen;                     ///< lines among them that were looked at for left-overs
    std::atomic<std::int64_t> last_report;  ///< ns of the monotonic clock
    std::atomic<std::int64_t> late;         ///< ranks of this node that are late with a tile
    std::atomic<std::int64_t> late_said;    ///< of these, what rank 0 has been told
    std::atomic<std::int64_t> world_late;   ///< what rank 0 knew when last asked
    std::atomic<std::int64_t> world_idle;   ///< likewise, ranks without a tile
    enum Stuck : std::uint32_t { not_stuck, telling, told };
    std::atomic<std::uint32_t> stuck;  ///< told: the user knows that the run ends for it is stuck
    static_assert(std::atomic<std::uint64_t>::is_always_lock_free &&
                  std::atomic<std::uint32_t>::is_always_lock_free);

    void note_lines(std::int64_t known) {
        std::int64_t before = lines.load();
        while (before < known && !lines.compare_exchange_weak(before, known)) {
        }
    }
};

/// What one rank of the node holds; one for each lies behind NodeState. Written by that rank, but for what
/// the first to see that it is late notes. In ns of the monotonic clock.
struct NodeTileIterator::HeldTile {
    /// Of `word`, beside the tile's position + 1; 0: no tile.
    static constexpr std::uint64_t is_late = std::uint64_t{1} << 62,
                                   is_copy = std::uint64_t{1} << 61;
    static constexpr std::int64_t unknown = -1, none = -2;  ///< in the place of a line

    std::atomic<std::uint64_t> word;
    std::atomic<std::int64_t> begun, late_at;
    std::atomic<std::int64_t> line;  ///< of the log, by which it was lent, or came as a copy
    std::atomic<std::int64_t> rank;

    static std::uint32_t position(std::uint64_t word) {
        return static_cast<std::uint32_t>((word & 0x1ffffffffU) - 1);
    }
};

/// Counters at rank 0; the lines of the log of returned tiles follow.
struct TileCounter {
    enum Index : int {
        next_position,  ///< first position that no node has taken
        settled,        ///< tiles finished
        idle,           ///< ranks without a tile
        abandonments,   ///< calls of abandon()
        late,           ///< ranks that are late with a tile
        stuck,          ///< nodes that have ended the run for it is stuck
        lines,          ///< of the log
        count           ///< how many these are
    };
};

/// The same clock for all processes of a machine.
inline std::int64_t monotonic_nanoseconds() {
    return std::chrono::steady_clock::now().time_since_epoch().count();
}

/// Fisher–Yates with a fixed generator: the same on all ranks whatever their standard library.
void shuffle_tiles(std::vector<Tile>& tiles, std::uint64_t seed);

}  // namespace tessera::mpi
