// A workload whose device may fail without the process: what run_tiles is given.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/tile_fault.hpp"
#include "engine/run_tiles.hpp"
#include "engine/tile_watch.hpp"
#include "kokkos_kernels/device/device_guard.hpp"

namespace tessera {

/// What a rank's device works on: tiles of the run, or poses that docking refines after them;
/// between the tiles of many pairs, the next pair's arrays, and the final terms of one; what a run
/// sets up first.
enum class Stage : std::uint8_t { main, refinement, load, finish, start };

/// A piece of such work in words.
inline std::string name_of(Stage stage, const Tile& tile) {
    switch (stage) {
        case Stage::load: return "the loading of a pair";
        case Stage::finish: return "the final evaluation";
        case Stage::start: return "the start";
        default: return "tile " + std::to_string(tile.id.value);
    }
}

/// For as long as the work lasts that a TileWatch may watch. Outside guard_device(), which may
/// leave the work by a jump.
inline TileWatch::Work watched_work(Stage stage, const Tile& tile = {}) {
    return {static_cast<std::size_t>(stage), name_of(stage, tile)};
}

/// What else happens to a tile on this rank. Empty in the program; a test's own main
/// (tests/support) makes ranks slow and lets tiles and devices fail here.
struct TileHook {
    std::function<void(Stage, const Tile&, bool smaller)> before;
    std::function<void(Stage, const Tile&, double seconds)> after;  ///< what it took
    std::function<void(std::span<double>)> answered;  ///< values of points of a search
};

/// The one of this process.
inline TileHook& tile_hook() {
    static TileHook hook;
    return hook;
}

/// Destroys none of these before the end of the process. Called where the device is lost: to
/// destroy what lies on it is no longer possible.
template <class... Objects>
void keep_for_good(const std::shared_ptr<Objects>&... objects) {
    static auto* const kept = new std::vector<std::shared_ptr<const void>>;
    (kept->push_back(objects), ...);
}

/// Runs `work`, which is no tile, under guard_device().
template <class Work>
void guard_stage(Stage stage, const Work& work) {
    const TileWatch::Work watched = watched_work(stage);
    kernels::guard_device([&] {
        if (tile_hook().before) tile_hook().before(stage, {}, false);
        work();
        if (tile_hook().after) tile_hook().after(stage, {}, 0);
    });
}

/// Runs `work` likewise, for a run that can go on without this device. False where that is lost,
/// now or before. Throws Error ("`what` failed") for its other failures.
template <class Work>
bool try_on_device(Stage stage, const char* what, const Work& work) {
    if (kernels::device_is_lost()) return false;
    try {
        guard_stage(stage, work);
    } catch (const DeviceLost&) {
        return false;
    } catch (const TileFailure& failure) {
        throw Error(std::string(what) + " failed", failure.what(),
                    "use a device with more free memory or another --device", failure.exit_code());
    }
    return true;
}

/// Runs another workload under guard_device(). `owners` are what holds device memory and would be
/// destroyed before the end of the process.
template <TileWorkload W>
class GuardedWorkload {
  public:
    using Payload = typename W::Payload;

    template <class... Owners>
    explicit GuardedWorkload(W& workload, std::shared_ptr<Owners>... owners)
        : GuardedWorkload(Stage::main, workload, std::move(owners)...) {}
    template <class... Owners>
    GuardedWorkload(Stage stage, W& workload, std::shared_ptr<Owners>... owners)
        : stage_(stage), workload_(workload), keep_([owners...] { keep_for_good(owners...); }) {}

    TilePartial<Payload> run(const Tile& tile) {
        return guarded(tile, false, [&] { return workload_.run(tile); });
    }
    TilePartial<Payload> run_smaller(const Tile& tile) requires HasSmallerRun<W> {
        return guarded(tile, true, [&] { return workload_.run_smaller(tile); });
    }

  private:
    template <class Compute>
    TilePartial<Payload> guarded(const Tile& tile, bool smaller, const Compute& compute) {
        std::optional<TilePartial<Payload>> partial;
        const TileWatch::Work watched = watched_work(stage_, tile);
        try {
            kernels::guard_device([&] {
                const auto start = std::chrono::steady_clock::now();
                if (tile_hook().before) tile_hook().before(stage_, tile, smaller);
                partial = compute();
                const std::chrono::duration<double> passed =
                    std::chrono::steady_clock::now() - start;
                if (tile_hook().after) tile_hook().after(stage_, tile, passed.count());
            });
        } catch (const DeviceLost&) {
            keep_();
            throw;
        }
        return std::move(*partial);
    }

    Stage stage_;
    W& workload_;
    std::function<void()> keep_;
};

}  // namespace tessera
