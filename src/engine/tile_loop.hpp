// What the loop over tiles is made of: a workload, a source of tiles, a journal, and its report.
#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/run_statistics.hpp"
#include "core/tile.hpp"
#include "core/tile_fault.hpp"

namespace tessera {

/// Computes a tile's partial. Throws TileFailure (or std::bad_alloc) for what a smaller batch may
/// cure, Error for everything else. The result may depend on the tile alone.
template <class W>
concept TileWorkload = requires(W& workload, const Tile& tile) {
    typename W::Payload;
    { workload.run(tile) } -> std::same_as<TilePartial<typename W::Payload>>;
};

/// A workload that can do the same arithmetic in smaller launches, needing less memory.
template <class W>
concept HasSmallerRun = requires(W& workload, const Tile& tile) {
    { workload.run_smaller(tile) } -> std::same_as<TilePartial<typename W::Payload>>;
};

/// Hands out tiles; nullopt once there are no more for this rank. A source with abandon() is told
/// when this rank gives up or stops, so that no one draws tiles for a run that cannot be whole.
template <class S>
concept TileSource = requires(S& source) {
    { source.next() } -> std::same_as<std::optional<Tile>>;
};

/// A source that other ranks draw from too: it is told of each tile it handed out whether it is
/// finished, or comes back because it failed here; `leaves`: and this rank takes no more. Finished
/// may be answered by false: another rank has done the tile as well, and this one's partial does
/// not count.
template <class S>
concept SharedTileSource = TileSource<S> && requires(S& source, TileFault fault) {
    { source.finished() } -> std::same_as<bool>;
    { source.give_back(fault, /*leaves=*/true) } -> std::same_as<HandedOn>;
};

/// The record of finished tiles that outlives the process. contains() answers for the whole job
/// (what any rank of an earlier run finished); restored() gives each such partial to exactly one
/// rank of this run; append() returns when the partial would survive the end of this process.
template <class J, class Payload>
concept TileJournal = requires(J& journal, TileId id, const TilePartial<Payload>& partial) {
    { journal.contains(id) } -> std::convertible_to<bool>;
    {journal.append(partial)};
    { journal.restored() } -> std::convertible_to<std::vector<TilePartial<Payload>>>;
};

/// Remembers nothing: for runs that are not to be resumed.
template <class Payload>
struct NoJournal {
    bool contains(TileId) const { return false; }
    void append(const TilePartial<Payload>&) {}
    std::vector<TilePartial<Payload>> restored() const { return {}; }
    std::int64_t tiles_resumed() const { return 0; }
    void close(bool) {}
};

/// How a caller watches and stops the loop.
struct TileLoopControl {
    const std::atomic<bool>* stop = nullptr;  ///< asked before each tile
    std::function<void()> after_tile;         ///< progress; called once a tile, cheap
};

/// How a rank's loop over tiles went.
struct LoopReport {
    std::int64_t tiles_done = 0;       ///< computed now
    std::int64_t tiles_resumed = 0;    ///< restored from the journal by this rank
    double busy_seconds = 0;           ///< inside the workload
    double waiting_seconds = 0;        ///< for tiles, or for other ranks' last ones
    std::vector<RetryRecord> retries;  ///< with rank 0; the caller knows its rank
    bool device_lost = false;  ///< the rank took no more tiles; it must not touch its device
    bool stopped = false;      ///< asked to stop; the run is whole all the same if tiles_done
                               ///< and tiles_resumed of all ranks add up to the number of tiles
};

/// What this rank contributes and how it went.
template <class Payload>
struct TileRun : LoopReport {
    std::vector<TilePartial<Payload>> partials;  ///< restored ones first, then in order of work
};

}  // namespace tessera
