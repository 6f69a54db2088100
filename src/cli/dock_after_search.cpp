#include "cli/dock_after_search.hpp"

#include <optional>

#include "cli/run_common.hpp"
#include "docking/dock_workload.hpp"
#include "docking/second_stage.hpp"
#include "guarded_workload.hpp"
#include "io/progress.hpp"
#include "kokkos_kernels/device_guard.hpp"
#include "mpi/gather_by_tile.hpp"

namespace tessera::cli {

namespace {

using docking::PoseList;

/// Collective.
int first_with_device(const mpi::Communicator& world) {
    const std::int64_t mine = kernels::device_is_lost() ? world.size() : world.rank();
    const std::int64_t first = world.allreduce_min(mine);
    if (first == world.size())
        throw mpi::SharedError("the result cannot be finished", "no rank has a device any more",
                               "start the same command again, it goes on with the tiles",
                               ExitCode::resources);
    return static_cast<int>(first);
}

/// Collective. The lists of rank `from` on all ranks.
void share(const mpi::Communicator& world, const docking::DockInput& input, int from,
           std::vector<PoseList>& lists) {
    lists.resize(input.sets.size());
    for (std::size_t s = 0; s < lists.size(); ++s) {
        lists[s].set = input.sets[s];
        world.broadcast(lists[s].poses, from);
    }
}

/// Collective. By the first rank whose device lasts.
std::vector<PoseList> rank_where_able(const mpi::Communicator& world, const SearchedRun& run,
                                      io::RunRecord& record) {
    while (true) {
        const int ranker = first_with_device(world);
        const auto partials = record.time_phase("gather", [&] {
            return mpi::gather_by_tile(world, run.tiles.partials, run.tiles_total, ranker);
        });
        std::vector<PoseList> lists;
        bool lost = false;
        const auto rank_here = [&] {
            lists = docking::rank_poses(partials, run.input.sets, run.input.ranked_poses(),
                                        run.prepared.rotations, run.prepared.frame, *run.search);
        };
        record.time_phase("rank", [&] {
            world.together([&] {
                if (world.rank() == ranker)
                    lost = !try_on_device(Stage::rank, "the ranking of poses", rank_here);
            });
        });
        if (world.allreduce_max(lost ? 1 : 0) > 0) continue;
        if (ranker != 0) share(world, run.input, ranker, lists);  // rank 0 needs them, no one else
        return lists;
    }
}

}  // namespace

docking::RankedPoses rank_and_refine(const mpi::Communicator& world, const SearchedRun& run,
                                     io::RunRecord& record) {
    docking::RankedPoses ranked{rank_where_able(world, run, record), {}};
    std::optional<io::Progress> progress;
    const auto watch = [&](const mpi::Communicator& able, mpi::NodeTileIterator& tiles,
                           std::int64_t resumed) {
        const bool speaks = able.is_root() && !run.quiet;
        progress.emplace("refining", tiles.tiles_total(), progress_over(able, speaks, resumed));
        return watched(run.stop, tiles, *progress);
    };
    world.together([&] {
        record.time_phase("refine", [&] {
            ranked.consensus =
                docking::second_stage(world, run.backend, run.input, run.prepared, ranked.lists,
                                      {&run.journal, watch, run.deadline});
        });
    });
    if (progress) progress->finish();
    note_devices_lost_since(world, run.tiles, "device lost in the refinement", record);
    return ranked;
}

}  // namespace tessera::cli
