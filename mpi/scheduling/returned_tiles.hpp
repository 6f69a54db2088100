// Tiles that ranks gave back or that are late: a log in a window at rank 0. Every rank appends
// lines to it and takes tiles from it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/tile_fault.hpp"
#include "mpi/scheduling/tile_range.hpp"
#include "mpi/window.hpp"

namespace tessera::mpi {

/// One line of the log.
struct ReturnedRange {
    enum class Kind : std::uint8_t {
        failed,     ///< one tile that failed on `rank`
        left_over,  ///< tiles of a node that has no rank left
        lent,       ///< one late tile that `rank` still holds
        gone        ///< no tiles: `rank` takes no more tiles
    };
    Kind kind = Kind::gone;
    TileFault fault = TileFault::device_error;
    int rank = 0;
    TileRange range;    ///< the part that no rank has taken yet
    bool done = false;  ///< a lent tile that a rank has finished

    /// The position of a failed or lent tile, whether taken or not.
    std::uint32_t position() const { return range.end - 1; }
};

/// A tile that no rank can take any more.
struct HopelessTile {
    std::uint32_t position = 0;
    int failures = 0;  ///< number of ranks that it failed on
};

/// Returns the first tile in the log that is not worth offering again. Either each of the `ranks`
/// has failed on it or is gone, or it gave non-finite values on 3 ranks, or 2 ranks lost their
/// devices with it. A lent tile does not count, because its rank may still finish it.
std::optional<HopelessTile> find_hopeless(std::span<const ReturnedRange> log, int ranks);

/// The log itself. A line is a few words of `counters`: the rank, the range, how many tiles are
/// taken, and the state of a lent tile. `length` is the index of the counter of lines.
/// MPI_Compare_and_swap is not used: Open MPI 4.1 crashes if rank 0 uses it on its own window.
class ReturnedTiles {
  public:
    static constexpr int words_per_line = 4;

    ReturnedTiles(RemoteCounters& counters, int length, int first_word, int capacity)
        : counters_(counters), length_(length), first_word_(first_word), capacity_(capacity) {}

    /// Returns the number of lines including this one. Throws Error if the log is full.
    std::int64_t append(const ReturnedRange& line);
    /// Returns lines [first, last) and waits for lines that are still being written.
    std::vector<ReturnedRange> read(std::int64_t first, std::int64_t last);
    /// Takes up to `count` tiles from the front of a line, or nullopt if all of them are taken.
    std::optional<TileRange> take(std::int64_t number, std::uint32_t count);

    /// A lent tile has at most two holders: the rank that was late and the rank that took it over.
    /// A holder calls this when it has finished. True if it is the first, whose result counts.
    bool finish_lent(std::int64_t number);
    /// A holder calls this when the tile has failed there. True if no other rank has finished the
    /// tile or computes it.
    bool fail_lent(std::int64_t number);

    /// Half of the log is reserved for tiles that fail.
    bool has_room_to_lend() { return counters_.read(length_) < capacity_ / 2; }

  private:
    int word_of(std::int64_t number) const {
        return first_word_ + static_cast<int>(number) * words_per_line;
    }

    RemoteCounters& counters_;
    int length_, first_word_, capacity_;
};

}  // namespace tessera::mpi
