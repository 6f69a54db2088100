#include "docking/run/search_run.hpp"

#include <algorithm>
#include <utility>

#include "docking/run/search_stage.hpp"
#include "docking/search/sort_poses.hpp"
#include "docking/setup/choose_rotations.hpp"
#include "docking/setup/make_ensemble.hpp"
#include "docking/setup/membrane_room.hpp"
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

}  // namespace

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

PreparedDocking prepare_on_all(const mpi::Communicator& ranks, const DockInput& input,
                               io::RunRecord& record) {
    RotationSet rotations;
    Ensemble ensemble;
    ranks.together([&] {
        if (!ranks.is_root()) return;
        rotations = choose_rotations(input);
        if (input.ensemble.is_set())
            ensemble = record.time_phase("conformers", [&] { return make_ensemble(input); });
    });
    broadcast(ranks, rotations);
    broadcast(ranks, ensemble);
    PreparedDocking prepared;
    ranks.together([&] {
        prepared = record.time_phase("prepare", [&] {
            return prepare(input, std::move(rotations), nullptr, std::move(ensemble));
        });
        if (ranks.is_root()) require_room(prepared);
    });
    return prepared;
}

void broadcast(const mpi::Communicator& ranks, Ensemble& ensemble) {
    for (PartnerConformers* partner : {&ensemble.receptor, &ensemble.ligand}) {
        std::uint64_t names = partner->names.size(), count = partner->positions.size();
        ranks.broadcast(names);
        ranks.broadcast(count);
        partner->names.resize(names);
        partner->positions.resize(count);
        for (std::string& name : partner->names) ranks.broadcast(name);
        for (std::vector<Vec3>& positions : partner->positions) ranks.broadcast(positions);
    }
}

void broadcast(const mpi::Communicator& ranks, RotationSet& rotations) {
    ranks.broadcast(rotations.bases);
    ranks.broadcast(rotations.group);
    ranks.broadcast(rotations.description);
    ranks.broadcast(rotations.sha256);
}

std::string hash_with_rotations(const PreparedDocking& prepared) {
    const auto bytes = [](const auto& values) {
        return std::string(reinterpret_cast<const char*>(values.data()),
                           values.size() * sizeof(values[0]));
    };
    std::string text = prepared.input_sha256 + bytes(prepared.rotations.bases);
    for (const PartnerConformers* partner :
         {&prepared.ensemble.receptor, &prepared.ensemble.ligand})
        for (const std::vector<Vec3>& positions : partner->positions) text += bytes(positions);
    return io::sha256_of(text);
}

SortedPoses search_and_refine(const mpi::Communicator& ranks, const SearchRun& run,
                              mpi::NodeTileIterator& tiles, DiskJournal<PoseRecord>& journal,
                              io::RunRecord& record) {
    const auto found = search_tiles(ranks, run, tiles, journal, record);
    SortedPoses sorted;
    sorted.lists = sort_where_able(ranks, run, found, record);
    ranks.together([&] {
        if (ranks.is_root()) require_restrained_poses(run.prepared, sorted.lists);
    });
    sorted.consensus =
        watch_refinement(ranks, run, journal, record, [&](const RefinementRun& refinement) {
            return second_stage(ranks, run.device.backend, run.input, run.prepared, sorted.lists,
                                refinement);
        });
    engine::note_devices_lost_since(ranks, found, "device lost in the refinement", record);
    record.resumed_devices = journal.resumed_devices();
    ranks.together([&] { journal.close(false); });
    return sorted;
}

}  // namespace tessera::docking
