// The stages of a docking over all ranks, for one pair of conformers.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "docking/run/search_run.hpp"
#include "docking/run/second_stage.hpp"
#include "docking/search/dock_workload.hpp"
#include "engine/guarded_workload.hpp"
#include "engine/run_workload.hpp"
#include "io/text/progress.hpp"

namespace tessera::docking {

/// Collective. The first rank whose device works sorts the poses. Rank 0 gets the lists.
std::vector<PoseList> sort_where_able(const mpi::Communicator& ranks, const SearchRun& run,
                                      const TileRun<kernels::PoseRecord>& found,
                                      io::RunRecord& record);

/// Collective. Searches all tiles. The journal stays open, unless the run is stopped.
template <class Journal>
TileRun<kernels::PoseRecord> search_tiles(const mpi::Communicator& ranks, const SearchRun& run,
                                          mpi::NodeTileIterator& tiles, Journal& journal,
                                          io::RunRecord& record) {
    DockWorkload on_device(*run.search, run.prepared.rotations, restraint_filter(run.prepared));
    GuardedWorkload workload(on_device, run.search);
    engine::RunControl control{"docking", "search", run.device, run.stop};
    control.quiet = run.quiet;
    control.more_to_journal = true;
    return engine::run_workload(ranks, workload, tiles, journal, control, record);
}

/// Collective. Calls stage(RefinementRun) with a progress line, and returns its result.
template <class Stage>
auto watch_refinement(const mpi::Communicator& ranks, const SearchRun& run, TileFiles& journal,
                      io::RunRecord& record, const Stage& stage) {
    std::optional<io::Progress> progress;
    const auto watch = [&](const mpi::Communicator& able, mpi::NodeTileIterator& tiles,
                           std::int64_t resumed) {
        progress.emplace("refining", tiles.tiles_total(),
                         engine::progress_over(able, able.is_root() && !run.quiet, resumed));
        return engine::watched(run.stop, tiles, *progress);
    };
    decltype(stage(RefinementRun{})) result;
    ranks.together([&] {
        record.time_phase("refine", [&] {
            result = stage(RefinementRun{&journal, watch, run.deadline});
        });
    });
    if (progress) progress->finish();
    return result;
}

}  // namespace tessera::docking
