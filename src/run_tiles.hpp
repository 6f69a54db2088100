// The only work loop: pull a tile, compute its partial, note it down, until nothing is left.
#pragma once

#include <atomic>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <functional>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/run_statistics.hpp"
#include "core/tile.hpp"

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
};

/// How a caller watches and stops the loop.
struct TileLoopControl {
    const std::atomic<bool>* stop = nullptr;  ///< asked before each tile
    std::function<void()> after_tile;         ///< progress; called once a tile, cheap
};

/// What this rank contributes and how it went.
template <class Payload>
struct TileRun {
    std::vector<TilePartial<Payload>> partials;  ///< restored ones first, then in order of work
    std::int64_t tiles_done = 0;                 ///< computed now
    std::int64_t tiles_resumed = 0;              ///< restored from the journal by this rank
    double busy_seconds = 0;                     ///< inside the workload
    std::vector<RetryRecord> retries;            ///< with rank 0; the caller knows its rank
    bool stopped = false;  ///< asked to stop; the run is whole all the same if tiles_done and
                           ///< tiles_resumed of all ranks add up to the number of tiles
};

namespace detail {

inline Error failed_tile(const Tile& tile, const TileFailure& failure, bool tried_smaller) {
    return Error("tile " + std::to_string(tile.id.value) + " (work items " +
                     std::to_string(tile.begin) + " to " + std::to_string(tile.end - 1) +
                     ") failed: " + failure.reason_name() +
                     (tried_smaller ? ", again with a smaller batch" : ""),
                 failure.what(),
                 failure.reason() == TileFailure::Reason::not_finite
                     ? "check the input for extreme values"
                     : "use a device with more free memory or another --device",
                 failure.exit_code());
}

/// Runs `compute`, turning the language's own out-of-memory exception into ours.
template <class Compute>
auto with_tile_failures(Compute&& compute) {
    try {
        return compute();
    } catch (const std::bad_alloc&) {
        throw TileFailure(TileFailure::Reason::out_of_memory, "no host memory left");
    }
}

template <TileWorkload W>
TilePartial<typename W::Payload> compute_tile(W& workload, const Tile& tile,
                                              std::vector<RetryRecord>& retries) {
    std::optional<TileFailure> first;
    try {
        return with_tile_failures([&] { return workload.run(tile); });
    } catch (const TileFailure& failure) {
        first = failure;
    }
    // Outside the handler, so that what the first try held is released before the second.
    if constexpr (HasSmallerRun<W>) {
        retries.push_back({tile.id.value, 0, first->reason_name(), first->what()});
        try {
            return with_tile_failures([&] { return workload.run_smaller(tile); });
        } catch (const TileFailure& failure) {
            throw failed_tile(tile, failure, true);
        }
    } else {
        throw failed_tile(tile, *first, false);
    }
}

template <class Source>
void abandon(Source& source) {
    if constexpr (requires { source.abandon(); }) source.abandon();
}

template <TileWorkload W>
TilePartial<typename W::Payload> timed_tile(W& workload, const Tile& tile,
                                            TileRun<typename W::Payload>& run) {
    const auto start = std::chrono::steady_clock::now();
    auto partial = compute_tile(workload, tile, run.retries);
    run.busy_seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (partial.id != tile.id)
        throw Error("tile " + std::to_string(tile.id.value) + " came back as tile " +
                        std::to_string(partial.id.value),
                    "a workload returned a partial under another id", "please report this",
                    ExitCode::internal);
    return partial;
}

}  // namespace detail

/// Pulls tiles from `source` until it is empty or the stop flag is set. Throws the workload's or
/// the journal's Error, or one that names the tile; no collective operation takes place here.
template <TileWorkload W, TileSource Source, TileJournal<typename W::Payload> Journal>
TileRun<typename W::Payload> run_tiles(W& workload, Source& source, Journal& journal,
                                       const TileLoopControl& control = {}) {
    TileRun<typename W::Payload> run;
    try {
        run.partials = journal.restored();
        run.tiles_resumed = static_cast<std::int64_t>(run.partials.size());
        while (!run.stopped) {
            if (control.stop && control.stop->load()) {
                run.stopped = true;
                detail::abandon(source);
                break;
            }
            const std::optional<Tile> tile = source.next();
            if (!tile) break;
            if (journal.contains(tile->id)) continue;
            auto partial = detail::timed_tile(workload, *tile, run);
            journal.append(partial);
            run.partials.push_back(std::move(partial));
            ++run.tiles_done;
            if (control.after_tile) control.after_tile();
        }
    } catch (...) {
        detail::abandon(source);
        throw;
    }
    return run;
}

}  // namespace tessera
