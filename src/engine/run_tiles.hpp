// The only work loop: pull a tile, compute its partial, note it down, until nothing is left.
#pragma once

#include <chrono>
#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/tile.hpp"
#include "core/tile_fault.hpp"
#include "engine/tile_loop.hpp"

namespace tessera {

namespace detail {

/// A rank that fails on so many tiles in a row is no use; it leaves them to others.
constexpr int failures_until_leaving = 8;

inline const char* remedy(TileFault fault) {
    switch (fault) {
        case TileFault::not_finite: return "check the input for extreme values";
        case TileFault::device_lost:
            return "start the same command again; if it fails there again, leave that device out";
        default: return "use a device with more free memory or another --device";
    }
}

/// How a tile failed, at last.
struct Failure {
    TileFault fault = TileFault::device_error;
    std::string detail;
    ExitCode code = ExitCode::resources;
    bool repeated = false;  ///< in smaller launches

    void note(const TileFailure& failure) {
        fault = fault_of(failure);
        detail = failure.what();
        code = failure.exit_code();
    }
};

inline Error failed_tile(const HandedOn& handed, const Failure& failure) {
    const Tile& tile = handed.tile;
    const std::string where =
        handed.failures > 1 ? " on " + std::to_string(handed.failures) + " ranks" : "";
    return Error("tile " + std::to_string(tile.id.value) + " (work items " +
                     std::to_string(tile.begin) + " to " + std::to_string(tile.end - 1) +
                     ") failed" + where + ": " + name_of(failure.fault) +
                     (failure.repeated ? ", again with a smaller batch" : ""),
                 failure.detail, remedy(failure.fault), failure.code);
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

/// A tile's partial where it came about, and what failed before or instead.
template <class Payload>
struct Attempt {
    std::optional<TilePartial<Payload>> partial;
    std::optional<Failure> failure;
};

template <TileWorkload W>
Attempt<typename W::Payload> try_tile(W& workload, const Tile& tile) {
    Attempt<typename W::Payload> attempt;
    try {
        attempt.partial = with_tile_failures([&] { return workload.run(tile); });
        return attempt;
    } catch (const TileFailure& failure) {
        attempt.failure.emplace().note(failure);
    }
    // Outside the handler, so that what the first try held is released before the second.
    if constexpr (HasSmallerRun<W>) {
        if (attempt.failure->fault == TileFault::device_lost) return attempt;
        attempt.failure->repeated = true;
        try {
            attempt.partial = with_tile_failures([&] { return workload.run_smaller(tile); });
        } catch (const TileFailure& failure) {
            attempt.failure->note(failure);
        }
    }
    return attempt;
}

template <class Source>
void abandon(Source& source) {
    if constexpr (requires { source.abandon(); }) source.abandon();
}

inline double seconds_between(std::chrono::steady_clock::time_point start,
                              std::chrono::steady_clock::time_point end) {
    return std::chrono::duration<double>(end - start).count();
}

inline void require_same_id(TileId asked, TileId returned) {
    if (asked != returned)
        throw Error("tile " + std::to_string(asked.value) + " came back as tile " +
                        std::to_string(returned.value),
                    "a workload returned a partial under another id", "please report this",
                    ExitCode::internal);
}

/// The loop of run_tiles, in parts.
template <TileWorkload W, TileSource Source, TileJournal<typename W::Payload> Journal>
class TileLoop {
  public:
    using Payload = typename W::Payload;

    TileLoop(W& workload, Source& source, Journal& journal, const TileLoopControl& control)
        : workload_(workload), source_(source), journal_(journal), control_(control) {}

    TileRun<Payload> run() {
        run_.partials = journal_.restored();
        run_.tiles_resumed = static_cast<std::int64_t>(run_.partials.size());
        while (true) {
            if (asked_to_stop()) {
                abandon(source_);
                break;
            }
            const auto asked = Clock::now();
            const std::optional<Tile> tile = source_.next();
            const auto begun = Clock::now();
            run_.waiting_seconds += seconds_between(asked, begun);
            if (!tile) {
                asked_to_stop();
                break;
            }
            if (!journal_.contains(tile->id))
                compute(*tile, begun);
            else
                settle();
        }
        return std::move(run_);
    }

  private:
    using Clock = std::chrono::steady_clock;

    bool asked_to_stop() {
        run_.stopped = control_.stop && control_.stop->load();
        return run_.stopped;
    }

    void compute(const Tile& tile, Clock::time_point begun) {
        Attempt<Payload> attempt = try_tile(workload_, tile);
        run_.busy_seconds += seconds_between(begun, Clock::now());
        if (attempt.failure) note_failure(tile, *attempt.failure, attempt.partial.has_value());
        if (!attempt.partial) return hand_on(tile, *attempt.failure);
        failures_in_a_row_ = 0;
        require_same_id(tile.id, attempt.partial->id);
        journal_.append(*attempt.partial);
        if (settle()) {
            run_.partials.push_back(std::move(*attempt.partial));
            ++run_.tiles_done;
        } else {
            run_.retries.push_back(
                {tile.id.value, 0, "late", "another rank was done before", "handed on"});
        }
        if (control_.after_tile) control_.after_tile();
    }

    /// The tile drawn last needs no one any more. Whether it was this rank that has done it.
    bool settle() {
        if constexpr (SharedTileSource<Source>) return source_.finished();
        return true;
    }

    void note_failure(const Tile& tile, const Failure& failure, bool cured) {
        run_.retries.push_back({tile.id.value, 0, name_of(failure.fault), failure.detail,
                                cured ? "done in smaller launches" : "handed on"});
    }

    void hand_on(const Tile& tile, const Failure& failure) {
        run_.device_lost = run_.device_lost || failure.fault == TileFault::device_lost;
        HandedOn handed{false, tile, 1};
        if constexpr (SharedTileSource<Source>) {
            const bool leaves = run_.device_lost || ++failures_in_a_row_ >= failures_until_leaving;
            handed = source_.give_back(failure.fault, leaves);
        }
        if (!handed.accepted) throw failed_tile(handed, failure);
    }

    W& workload_;
    Source& source_;
    Journal& journal_;
    const TileLoopControl& control_;
    TileRun<Payload> run_;
    int failures_in_a_row_ = 0;
};

}  // namespace detail

/// Pulls tiles from `source` until it is empty or the stop flag is set. A tile that fails is tried
/// in smaller launches, then given back where the source takes it. A rank whose device is lost
/// draws no more tiles, waits for the others' and returns what it has. Throws the workload's or the
/// journal's Error, or one that names the tile; no collective operation takes place here.
template <TileWorkload W, TileSource Source, TileJournal<typename W::Payload> Journal>
TileRun<typename W::Payload> run_tiles(W& workload, Source& source, Journal& journal,
                                       const TileLoopControl& control = {}) {
    try {
        return detail::TileLoop<W, Source, Journal>(workload, source, journal, control).run();
    } catch (...) {
        detail::abandon(source);
        throw;
    }
}

}  // namespace tessera
