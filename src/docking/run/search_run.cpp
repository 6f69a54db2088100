#include "docking/run/search_run.hpp"

#include <optional>
#include <utility>

#include "docking/run/second_stage.hpp"
#include "docking/search/dock_workload.hpp"
#include "docking/search/sort_poses.hpp"
#include "docking/setup/choose_rotations.hpp"
#include "engine/guarded_workload.hpp"
#include "engine/run_workload.hpp"
#include "io/files/sha256.hpp"
#include "kokkos_kernels/device/device_guard.hpp"
#include "mpi/mpi_error.hpp"

namespace tessera::docking {

namespace {

using kernels::PoseRecord;

/// Collective.
int first_with_device(const mpi::Communicator& ranks) {
    const std::int64_t mine = kernels::device_is_lost() ? ranks.size() : ranks.rank();
    const std::int64_t first = ranks.allreduce_min(mine);
    if (first == ranks.size())
        throw mpi::SharedError("the result cannot be finished", "no rank has a device any more",
                               "start the same command again, it keeps the finished tiles",
                               ExitCode::resources);
    return static_cast<int>(first);
}

/// Collective. Sends the lists of rank `from` to all ranks.
void share(const mpi::Communicator& ranks, const DockInput& input, int from,
           std::vector<PoseList>& lists) {
    lists.resize(input.sets.size());
    for (std::size_t s = 0; s < lists.size(); ++s) {
        lists[s].set = input.sets[s];
        ranks.broadcast(lists[s].poses, from);
    }
}

/// Collective. The first rank whose device works sorts the poses. Rank 0 gets the lists.
std::vector<PoseList> sort_where_able(const mpi::Communicator& ranks, const SearchRun& run,
                                      const TileRun<PoseRecord>& found, io::RunRecord& record) {
    while (true) {
        const int sorter = first_with_device(ranks);
        const auto partials = engine::gather_partials(ranks, found, record, sorter);
        std::vector<PoseList> lists;
        bool lost = false;
        const auto sort_here = [&] {
            lists = sort_poses(partials, run.input.sets, run.input.poses_sorted(),
                               run.prepared.rotations, run.prepared.frame, *run.search);
            close_rings(run.prepared, lists);
            require_restrained_poses(run.prepared, lists);
        };
        record.time_phase("rank", [&] {
            ranks.together([&] {
                if (ranks.rank() == sorter)
                    lost = !try_on_device(Stage::finish, "the sorting of poses", sort_here);
            });
        });
        if (ranks.allreduce_max(lost ? 1 : 0) > 0) continue;
        if (sorter != 0) share(ranks, run.input, sorter, lists);
        return lists;
    }
}

/// Collective. Refines the best poses of the lists. Rank 0 gets the consensus.
std::optional<Consensus> refine(const mpi::Communicator& ranks, const SearchRun& run,
                                const std::vector<PoseList>& lists, TileFiles& journal,
                                io::RunRecord& record) {
    std::optional<io::Progress> progress;
    const auto watch = [&](const mpi::Communicator& able, mpi::NodeTileIterator& tiles,
                           std::int64_t resumed) {
        progress.emplace("refining", tiles.tiles_total(),
                         engine::progress_over(able, able.is_root() && !run.quiet, resumed));
        return engine::watched(run.stop, tiles, *progress);
    };
    std::optional<Consensus> consensus;
    ranks.together([&] {
        record.time_phase("refine", [&] {
            consensus = second_stage(ranks, run.device.backend, run.input, run.prepared, lists,
                                     {&journal, watch, run.deadline});
        });
    });
    if (progress) progress->finish();
    return consensus;
}

}  // namespace

PreparedDocking prepare_on_all(const mpi::Communicator& ranks, const DockInput& input,
                               io::RunRecord& record) {
    RotationSet rotations;
    ranks.together([&] {
        if (ranks.is_root()) rotations = choose_rotations(input);
    });
    broadcast(ranks, rotations);
    PreparedDocking prepared;
    ranks.together([&] {
        prepared =
            record.time_phase("prepare", [&] { return prepare(input, std::move(rotations)); });
    });
    return prepared;
}

void broadcast(const mpi::Communicator& ranks, RotationSet& rotations) {
    ranks.broadcast(rotations.bases);
    ranks.broadcast(rotations.group);
    ranks.broadcast(rotations.description);
    ranks.broadcast(rotations.sha256);
}

std::string hash_with_rotations(const PreparedDocking& prepared) {
    const auto& bases = prepared.rotations.bases;
    return io::sha256_of(
        prepared.input_sha256 +
        std::string(reinterpret_cast<const char*>(bases.data()), bases.size() * sizeof(bases[0])));
}

SortedPoses search_and_refine(const mpi::Communicator& ranks, const SearchRun& run,
                              mpi::NodeTileIterator& tiles, DiskJournal<PoseRecord>& journal,
                              io::RunRecord& record) {
    DockWorkload on_device(*run.search, run.prepared.rotations, restraint_filter(run.prepared));
    GuardedWorkload workload(on_device, run.search);
    engine::RunControl control{"docking", "search", run.device, run.stop};
    control.quiet = run.quiet;
    control.more_to_journal = true;
    const auto found = engine::run_workload(ranks, workload, tiles, journal, control, record);
    SortedPoses sorted;
    sorted.lists = sort_where_able(ranks, run, found, record);
    sorted.consensus = refine(ranks, run, sorted.lists, journal, record);
    engine::note_devices_lost_since(ranks, found, "device lost in the refinement", record);
    record.resumed_devices = journal.resumed_devices();
    ranks.together([&] { journal.close(false); });
    return sorted;
}

}  // namespace tessera::docking
