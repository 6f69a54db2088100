// The refinement of poses on one rank alone. Without MPI, so that a process alone can use it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "docking/refinement/refinement.hpp"
#include "docking/search/tiles_in_order.hpp"
#include "engine/guarded_workload.hpp"
#include "engine/run_tiles.hpp"
#include "io/text/counted.hpp"

namespace tessera::docking {

/// The records of all partials, one after another.
inline std::vector<kernels::RefinedPose>
in_order(const std::vector<TilePartial<kernels::RefinedPose>>& partials) {
    std::vector<kernels::RefinedPose> refined;
    for (const auto& partial : partials)
        refined.insert(refined.end(), partial.records.begin(), partial.records.end());
    return refined;
}

/// Throws if tiles are left. `Thrown`: SharedError if all ranks throw, otherwise Error. `kept`: a
/// journal holds what is done.
template <class Thrown>
void require_refined(std::int64_t tiles, std::int64_t total, bool kept) {
    if (tiles >= total) return;
    std::string what_to_do = "start the same command again";
    if (kept)
        what_to_do += ", which goes on after the search and the " + std::to_string(tiles) + " of " +
                      io::counted(total, "tile") + " of poses that are done";
    throw Thrown("stopped before the poses were refined", "a signal asked for it", what_to_do,
                 ExitCode::requeue);
}

/// Refines `starts` tile by tile, and returns the refined poses in the same order. `journal` is a
/// TileJournal; `kept`: it outlives the process. Throws Error if a tile fails, naming the tile, or
/// with exit code 75 if `stop` was set.
template <class Journal>
std::vector<kernels::RefinedPose>
refine_in_order(kernels::PoseRefinement& refinement, const std::vector<kernels::RigidPose>& starts,
                Journal& journal, const std::atomic<bool>* stop,
                const std::function<void(std::int64_t done, std::int64_t total)>& after_tile,
                bool kept) {
    RefineWorkload on_device(refinement, starts);
    GuardedWorkload workload(Stage::refinement, on_device);
    TilesInOrder tiles(cut_into_tiles(std::ssize(starts), poses_per_tile));
    const auto told = [&] {
        if (after_tile) after_tile(tiles.drawn(), tiles.total());
    };
    auto partials = run_tiles(workload, tiles, journal, {stop, told}).partials;
    require_refined<Error>(std::ssize(partials), tiles.total(), kept);
    std::ranges::sort(partials, {}, &TilePartial<kernels::RefinedPose>::id);
    return in_order(partials);
}

}  // namespace tessera::docking
