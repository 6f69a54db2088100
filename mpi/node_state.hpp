// What the ranks of a node share about the tiles of a run; included by node_tile_iterator alone.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

#include "core/tile.hpp"
#include "mpi/node_tile_iterator.hpp"

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
    static_assert(std::atomic<std::uint64_t>::is_always_lock_free &&
                  std::atomic<std::uint32_t>::is_always_lock_free);

    void note_lines(std::int64_t known) {
        std::int64_t before = lines.load();
        while (before < known && !lines.compare_exchange_weak(before, known)) {
        }
    }
};

/// Counters at rank 0; the lines of the log of returned tiles follow.
struct TileCounter {
    enum Index : int {
        next_position,  ///< first position that no node has taken
        settled,        ///< tiles finished
        idle,           ///< ranks without a tile
        abandonments,   ///< calls of abandon()
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
