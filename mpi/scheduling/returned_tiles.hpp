// Tiles that ranks gave back or that are late, as a log in a window at rank 0 that every rank appends to and takes from.
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
        left_over,  ///< tiles that a node drew and has no rank left for
        lent,       ///< one tile that `rank` still holds, but is late with
        gone        ///< no tiles: `rank` draws no more
    };
    Kind kind = Kind::gone;
    TileFault fault = TileFault::device_error;
    int rank = 0;
    TileRange range;    ///< what of it no one has taken yet
    bool done = false;  ///< lent and finished by someone

    /// Of a failed or lent tile, taken or not.
    std::uint32_t position() const { return range.end - 1; }
};

/// A tile that no rank can take any more.
struct HopelessTile {
    std::uint32_t position = 0;
    int failures = 0;  ///< ranks that it failed on
};

/// The first open line that is not worth offering: every one of the `ranks` has failed on it or is gone,
/// or it gave values that are not finite on 3 ranks, or it took 2 ranks' devices with it. A tile that is
/// lent has a rank that may still do it.
std::optional<HopelessTile> find_hopeless(std::span<const ReturnedRange> log, int ranks);

/// The log itself. A line is a few words of `counters`: who, which range, how many of it are taken, how a lent tile went. (No
/// MPI_Compare_and_swap: Open MPI 4.1 crashes where rank 0 uses it on its own window.) `length` names the
/// counter of lines.
class ReturnedTiles {
  public:
    static constexpr int words_per_line = 4;

    ReturnedTiles(RemoteCounters& counters, int length, int first_word, int capacity)
        : counters_(counters), length_(length), first_word_(first_word), capacity_(capacity) {}

    /// Returns the number of lines with this one. Throws Error where the log is full.
    std::int64_t append(const ReturnedRange& line);
    /// Lines [first, last); waits for those that are being written.
    std::vector<ReturnedRange> read(std::int64_t first, std::int64_t last);
    /// Takes up to `count` tiles from the front of a line; nullopt where all of them are taken.
    std::optional<TileRange> take(std::int64_t number, std::uint32_t count);

    /// A lent tile has two holders at most: who was late with it, and who has taken it. One of them is done
    /// with it; whether it is the first, whose result counts.
    bool finish_lent(std::int64_t number);
    /// It has failed on one of them. Whether no one else has done it or is at it.
    bool fail_lent(std::int64_t number);

    /// Tiles that fail shall not find the log full of late ones.
    bool has_room_to_lend() { return counters_.read(length_) < capacity_ / 2; }

  private:
    int word_of(std::int64_t number) const {
        return first_word_ + static_cast<int>(number) * words_per_line;
    }

    RemoteCounters& counters_;
    int length_, first_word_, capacity_;
};

}  // namespace tessera::mpi
