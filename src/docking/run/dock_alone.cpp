#include "docking/run/dock_alone.hpp"

#include <memory>
#include <optional>
#include <utility>

#include "docking/result/dock_result.hpp"
#include "docking/result/ensemble_poses.hpp"
#include "docking/result/finish_result.hpp"
#include "docking/result/judged_assemblies.hpp"
#include "docking/result/judged_consensus.hpp"
#include "docking/result/repacked_consensus.hpp"
#include "docking/run/refine_in_order.hpp"
#include "docking/search/dock_workload.hpp"
#include "docking/search/sort_poses.hpp"
#include "docking/setup/choose_rotations.hpp"
#include "docking/setup/make_ensemble.hpp"
#include "docking/setup/membrane_room.hpp"
#include "docking/setup/prepare.hpp"
#include "engine/guarded_workload.hpp"
#include "engine/rank_record.hpp"
#include "engine/result_in_memory.hpp"
#include "engine/run_tiles.hpp"
#include "kokkos_kernels/device/device_guard.hpp"
#include "kokkos_kernels/device/memory_budget.hpp"
#include "kokkos_kernels/docking/correlation_search.hpp"
#include "kokkos_kernels/docking/refine_assembly.hpp"

namespace tessera::docking {

namespace {

using kernels::PoseRecord;

/// Work on the device that is no tile. Throws Error if it fails.
template <class Work>
void on_device(const char* what, const Work& work) {
    if (!try_on_device(Stage::main, what, work))
        throw Error(std::string(what) + " failed", "the device is lost",
                    "start again in a new process", ExitCode::resources);
}

std::shared_ptr<kernels::CorrelationSearch> make_search(const PreparedDocking& prepared,
                                                        const DockAlone& run) {
    std::shared_ptr<kernels::CorrelationSearch> search;
    const kernels::DeviceInfo& device = run.device;
    on_device("the start of the search", [&] {
        search = kernels::kept_if_lost(kernels::make_correlation_search(
            device.backend, prepared.problem,
            kernels::memory_budget(device.backend, device.available_bytes, run.memory_gib)));
    });
    return search;
}

TileRun<PoseRecord> search_all(const PreparedDocking& prepared,
                               const std::shared_ptr<kernels::CorrelationSearch>& search,
                               const DockAlone& run) {
    DockWorkload work(*search, prepared.rotations, restraint_filter(prepared));
    GuardedWorkload workload(work, search);
    TilesInOrder tiles(tiles_of(prepared.rotations));
    NoJournal<PoseRecord> journal;
    auto found = run_tiles(workload, tiles, journal, {run.stop, run.after_tile});
    if (found.tiles_done < tiles.total())
        throw Error("stopped before all rotations were searched", "a signal asked for it",
                    "start it again", ExitCode::requeue);
    return found;
}

/// `make`: such as make_pose_refinement().
template <class Make>
std::vector<kernels::RefinedPose> refine_by(Make& make, const PreparedDocking& prepared,
                                            const std::vector<kernels::RigidPose>& starts,
                                            const DockAlone& run) {
    std::shared_ptr<kernels::PoseRefinement> refinement;
    on_device("the refinement of poses", [&] {
        refinement = kernels::kept_if_lost(make(run.device.backend, prepared.refinement));
    });
    NoJournal<kernels::RefinedPose> journal;
    const auto told = [&](std::int64_t, std::int64_t) {
        if (run.after_tile) run.after_tile();
    };
    return refine_in_order(*refinement, starts, journal, run.stop, told, /*kept=*/false);
}

std::optional<Consensus> refine(const DockInput& input, const PreparedDocking& prepared,
                                const std::vector<PoseList>& lists, const DockAlone& run) {
    if (input.consensus.refine == 0) return std::nullopt;
    const std::vector<Candidate> candidates = candidates_of(input, prepared, lists);
    const auto refined =
        refine_by(kernels::make_pose_refinement, prepared, starts_of(candidates), run);
    Consensus consensus =
        repacked_consensus(run.device.backend, input, prepared,
                           judged_consensus(input, prepared, candidates, refined));
    if (!input.symmetry.dihedral) return consensus;
    const AssemblyStarts starts = assembly_starts(input, prepared, consensus);
    return assembly_consensus(
        input, prepared, starts,
        refine_by(kernels::make_assembly_refinement, prepared, starts.poses, run));
}

/// Searches, and sorts the poses. Adds what was done to `done`.
std::vector<PoseList> search_and_sort(const DockInput& input, const PreparedDocking& prepared,
                                      const DockAlone& run, io::RunRecord& record,
                                      LoopReport& done) {
    const auto search =
        record.time_phase("start device", [&] { return make_search(prepared, run); });
    const auto found =
        record.time_phase("search", [&] { return search_all(prepared, search, run); });
    std::vector<PoseList> lists;
    record.time_phase("rank", [&] {
        on_device("the sorting of poses", [&] {
            lists = sort_poses(found.partials, input.sets, input.poses_sorted(), prepared.rotations,
                               prepared.frame, *search);
            close_rings(prepared, lists);
        });
    });
    done.tiles_done += found.tiles_done;
    done.busy_seconds += found.busy_seconds;
    done.waiting_seconds += found.waiting_seconds;
    done.retries.insert(done.retries.end(), found.retries.begin(), found.retries.end());
    return lists;
}

/// Docks all pairs of conformers, one after another.
SortedPoses dock_ensemble(const DockInput& input, const PreparedDocking& first,
                          const DockAlone& run, io::RunRecord& record, LoopReport& done) {
    EnsemblePoses poses(input, first);
    PreparedDocking pair;
    for (std::size_t number = 0; number < first.ensemble.combinations(); ++number) {
        if (number > 0)
            pair = record.time_phase("prepare", [&] {
                return prepare_member(input, first, number, number > 1 ? &pair : &first);
            });
        const PreparedDocking& here = number == 0 ? first : pair;
        const std::vector<PoseList> lists = search_and_sort(input, here, run, record, done);
        std::vector<Candidate> candidates;
        std::vector<kernels::RefinedPose> refined;
        record.time_phase("refine", [&] {
            if (input.consensus.refine == 0 || !has_poses(lists)) return;
            candidates = candidates_of(input, here, lists);
            refined = refine_by(kernels::make_pose_refinement, here, starts_of(candidates), run);
        });
        poses.add(here, static_cast<std::int64_t>(number), lists, std::move(candidates), refined);
    }
    return record.time_phase("join", [&] { return poses.finish(); });
}

SortedPoses dock(const DockInput& input, const PreparedDocking& prepared, const DockAlone& run,
                 io::RunRecord& record, LoopReport& done) {
    if (prepared.ensemble.combinations() > 1)
        return dock_ensemble(input, prepared, run, record, done);
    SortedPoses sorted;
    sorted.lists = search_and_sort(input, prepared, run, record, done);
    require_restrained_poses(prepared, sorted.lists);
    record.time_phase("refine",
                      [&] { sorted.consensus = refine(input, prepared, sorted.lists, run); });
    return sorted;
}

}  // namespace

engine::ResultWriter dock_alone(const DockInput& input, const DockAlone& run) {
    io::RunRecord record = run.record;
    const PreparedDocking prepared = record.time_phase("prepare", [&] {
        return prepare(input, choose_rotations(input), nullptr, make_ensemble(input));
    });
    require_room(prepared);
    LoopReport done;
    SortedPoses sorted = dock(input, prepared, run, record, done);
    DockResult result = record.time_phase(
        "cluster and evaluate", [&] { return finish_result(input, prepared, std::move(sorted)); });
    engine::note_run_alone(run.device, done, done.tiles_done, record);
    record.input = to_json(input);
    record.input_sha256 = prepared.input_sha256;
    record.warnings = prepared.warnings;
    return engine::result_in_memory("dock", std::move(result), std::move(record),
                                    [](const io::h5::File& file, const DockResult& docked) {
                                        write_dock_result(file.root(), docked);
                                    });
}

}  // namespace tessera::docking
