// The state that the ranks of a node share. Only the sources of NodeTileIterator include this
// header.
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
    std::atomic<std::uint64_t> chunk;        ///< TileRange::word()
    std::atomic<std::uint32_t> refilling;    ///< 1: a rank of this node uses the counters of rank 0
    std::atomic<std::uint32_t> exhausted;    ///< 1: no position is left at rank 0
    std::atomic<std::uint32_t> abandoned;    ///< 1: no tile is handed out any more
    std::atomic<std::uint32_t> complete;     ///< 1: all tiles of the run are finished
    std::atomic<std::int64_t> taken;         ///< positions that this node has taken in total
    std::atomic<std::int64_t> settled;       ///< tiles that ranks of this node have finished
    std::atomic<std::int64_t> settled_said;  ///< number of these reported to rank 0
    std::atomic<std::int64_t> world_settled;   ///< value at rank 0 when last read
    std::atomic<std::int64_t> waiting;         ///< ranks without a tile
    std::atomic<std::int64_t> waiting_said;    ///< number of these reported to rank 0
    std::atomic<std::int64_t> ranks_left;      ///< ranks that still take tiles
    std::atomic<std::int64_t> lines;           ///< known lines of the log of returned tiles
    std::atomic<std::int64_t> left_over_seen;  ///< lines of these that were searched for left-overs
    std::atomic<std::int64_t> last_report;     ///< ns of the monotonic clock
    std::atomic<std::int64_t> late;            ///< ranks of this node that are late with a tile
    std::atomic<std::int64_t> late_said;       ///< number of these reported to rank 0
    std::atomic<std::int64_t> world_late;      ///< value at rank 0 when last read
    std::atomic<std::int64_t> world_idle;      ///< ranks without a tile, as last read at rank 0
    enum Stuck : std::uint32_t { not_stuck, telling, told };
    std::atomic<std::uint32_t> stuck;  ///< told: the error line has been printed
    static_assert(std::atomic<std::uint64_t>::is_always_lock_free &&
                  std::atomic<std::uint32_t>::is_always_lock_free);

    void note_lines(std::int64_t known) {
        std::int64_t before = lines.load();
        while (before < known && !lines.compare_exchange_weak(before, known)) {
        }
    }
};

/// The tile that one rank of the node holds. One HeldTile for each rank follows NodeState in
/// memory. Only that rank writes it, except for the mark of the first process that finds it late.
/// Times are in ns of the monotonic clock.
struct NodeTileIterator::HeldTile {
    /// Flags in `word`, which holds the position of the tile + 1, or 0 if there is no tile.
    static constexpr std::uint64_t is_late = std::uint64_t{1} << 62,
                                   is_copy = std::uint64_t{1} << 61;
    static constexpr std::int64_t unknown = -1, none = -2;  ///< instead of a line number

    std::atomic<std::uint64_t> word;
    std::atomic<std::int64_t> begun, late_at;
    std::atomic<std::int64_t> line;  ///< of the log: the tile was lent or received as a copy
    std::atomic<std::int64_t> rank;

    static std::uint32_t position(std::uint64_t word) {
        return static_cast<std::uint32_t>((word & 0x1ffffffffU) - 1);
    }
};

/// Counters at rank 0. The lines of the log of returned tiles follow them.
struct TileCounter {
    enum Index : int {
        next_position,  ///< first position that no node has taken
        settled,        ///< tiles finished
        idle,           ///< ranks without a tile
        abandonments,   ///< number of calls of abandon()
        late,           ///< ranks that are late with a tile
        stuck,          ///< nodes that have ended the run because it is stuck
        lines,          ///< lines of the log
        count           ///< number of counters
    };
};

/// A clock that all processes of a machine share.
inline std::int64_t monotonic_nanoseconds() {
    return std::chrono::steady_clock::now().time_since_epoch().count();
}

/// Fisher–Yates shuffle with a fixed generator. It gives the same order on all ranks with any
/// standard library.
void shuffle_tiles(std::vector<Tile>& tiles, std::uint64_t seed);

}  // namespace tessera::mpi
