#include "docking/run/second_stage.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "docking/result/judged_assemblies.hpp"
#include "docking/result/judged_consensus.hpp"
#include "docking/result/repacked_consensus.hpp"
#include "docking/run/refine_in_order.hpp"
#include "engine/guarded_workload.hpp"
#include "io/files/sha256.hpp"
#include "kokkos_kernels/device/device_guard.hpp"
#include "kokkos_kernels/docking/refine_assembly.hpp"
#include "mpi/gather_by_tile.hpp"
#include "mpi/mpi_error.hpp"
#include "mpi/scheduling/node_tile_iterator.hpp"

namespace tessera::docking {

namespace {

using kernels::RefinedPose;

/// Lets run_tiles write the refinement's tiles into the run's journal, if there is one.
class RefinementRecorder {
  public:
    RefinementRecorder(TileFiles* files, const std::vector<kernels::RigidPose>& starts,
                       const std::string& of = {}) {
        if (files) journal_.emplace(*files, RunPhase::refinement, hash_of(starts) + of);
    }

    bool contains(TileId id) const { return journal_ && journal_->contains(id); }
    std::int64_t tiles_resumed() const { return journal_ ? journal_->tiles_resumed() : 0; }
    void append(const TilePartial<RefinedPose>& partial) {
        if (journal_) journal_->append(partial);
    }
    std::vector<TilePartial<RefinedPose>> restored() {
        return journal_ ? journal_->restored() : std::vector<TilePartial<RefinedPose>>{};
    }

  private:
    /// An earlier attempt may have sorted the poses on another kind of device. Its start poses
    /// differ then.
    static std::string hash_of(const std::vector<kernels::RigidPose>& starts) {
        static_assert(sizeof(kernels::RigidPose) == 7 * sizeof(double));  // no padding
        return io::sha256_of(std::string_view(reinterpret_cast<const char*>(starts.data()),
                                              starts.size() * sizeof(starts[0])));
    }

    std::optional<PhaseJournal<RefinedPose>> journal_;
};

/// Makes a refinement, such as make_pose_refinement().
using Make = std::unique_ptr<kernels::PoseRefinement>(kernels::Backend,
                                                      const kernels::RefineProblem&);

/// Null if this rank's device is lost before or during this call.
std::shared_ptr<kernels::PoseRefinement> refinement_if_able(Make& make, kernels::Backend backend,
                                                            const PreparedDocking& prepared) {
    std::shared_ptr<kernels::PoseRefinement> refinement;
    const bool able = try_on_device(Stage::load, "the refinement of poses", [&] {
        refinement = kernels::kept_if_lost(make(backend, prepared.refinement));
    });
    return able ? refinement : nullptr;
}

/// Collective. Docks the root's rings in pairs. Returns the assemblies on the root.
std::optional<Consensus> third_stage(const mpi::Communicator& world, kernels::Backend backend,
                                     const DockInput& input, const PreparedDocking& prepared,
                                     const std::optional<Consensus>& rings,
                                     const RefinementRun& run) {
    AssemblyStarts starts;
    std::shared_ptr<kernels::PoseRefinement> refinement;
    world.together([&] {
        if (world.is_root()) starts = assembly_starts(input, prepared, rings.value());
        refinement = refinement_if_able(kernels::make_assembly_refinement, backend, prepared);
    });
    const auto refined = refine_poses(world, refinement.get(), starts.poses, run);
    std::optional<Consensus> consensus;
    world.together([&] {
        if (world.is_root()) consensus = assembly_consensus(input, prepared, starts, refined);
    });
    return consensus;
}

}  // namespace

std::vector<RefinedPose> refine_poses(const mpi::Communicator& world,
                                      kernels::PoseRefinement* refinement,
                                      std::vector<kernels::RigidPose> starts,
                                      const RefinementRun& run) {
    world.broadcast(starts);
    RefinementRecorder recorder(run.journal, starts, run.of);
    const mpi::Communicator able = world.split(refinement ? 0 : 1, world.rank());
    if (world.allreduce_sum(refinement ? 1 : 0) == 0)
        throw mpi::SharedError("poses cannot be refined", "no rank has a device any more",
                               "start the same command again, it keeps the finished tiles",
                               ExitCode::resources);
    const auto cut = cut_into_tiles(std::ssize(starts), poses_per_tile);
    std::vector<TilePartial<RefinedPose>> partials;
    std::optional<mpi::NodeTileIterator> tiles;
    mpi::NodeTileOptions schedule;
    schedule.deadline = run.deadline;
    if (refinement) tiles.emplace(able, cut, schedule);
    world.together([&] {
        if (!tiles) {
            partials = recorder.restored();
            return;
        }
        RefineWorkload on_device(*refinement, starts);
        GuardedWorkload workload(Stage::refinement, on_device);
        TileLoopControl control;
        if (run.watch) control = run.watch(able, *tiles, recorder.tiles_resumed());
        auto here = run_tiles(workload, *tiles, recorder, control);
        if (here.stopped && run.journal) run.journal->close(true);
        partials = std::move(here.partials);
    });
    require_refined<mpi::SharedError>(world.allreduce_sum(std::ssize(partials)), std::ssize(cut),
                                      run.journal != nullptr);
    return in_order(mpi::gather_by_tile(world, partials, std::ssize(cut)));
}

std::vector<RefinedPose> refine_poses(kernels::PoseRefinement& refinement,
                                      const std::vector<kernels::RigidPose>& starts,
                                      const RefinementAlone& run) {
    RefinementRecorder recorder(run.journal, starts);
    return refine_in_order(refinement, starts, recorder, run.stop, run.after_tile,
                           run.journal != nullptr);
}

RefinedLists refine_lists(const mpi::Communicator& world, kernels::Backend backend,
                          const DockInput& input, const PreparedDocking& prepared,
                          const std::vector<PoseList>& lists, const RefinementRun& run) {
    RefinedLists result;
    std::shared_ptr<kernels::PoseRefinement> refinement;
    world.together([&] {
        if (world.is_root()) result.candidates = candidates_of(input, prepared, lists);
        refinement = refinement_if_able(kernels::make_pose_refinement, backend, prepared);
    });
    result.refined = refine_poses(world, refinement.get(), starts_of(result.candidates), run);
    return result;
}

std::optional<Consensus> second_stage(const mpi::Communicator& world, kernels::Backend backend,
                                      const DockInput& input, const PreparedDocking& prepared,
                                      const std::vector<PoseList>& lists,
                                      const RefinementRun& run) {
    if (input.consensus.refine == 0) return std::nullopt;
    const RefinedLists poses = refine_lists(world, backend, input, prepared, lists, run);
    std::optional<Consensus> consensus;
    world.together([&] {
        if (world.is_root())
            consensus = repacked_consensus(
                backend, input, prepared,
                judged_consensus(input, prepared, poses.candidates, poses.refined));
    });
    if (!input.symmetry.dihedral) return consensus;
    return third_stage(world, backend, input, prepared, consensus, run);
}

std::optional<Consensus> second_stage(kernels::Backend backend, const DockInput& input,
                                      const PreparedDocking& prepared,
                                      const std::vector<PoseList>& lists,
                                      const RefinementAlone& run) {
    if (input.consensus.refine == 0) return std::nullopt;
    const std::vector<Candidate> candidates = candidates_of(input, prepared, lists);
    std::shared_ptr<kernels::PoseRefinement> refinement;
    kernels::guard_device([&] {
        refinement = kernels::kept_if_lost(make_pose_refinement(backend, prepared.refinement));
    });
    return repacked_consensus(
        backend, input, prepared,
        judged_consensus(input, prepared, candidates,
                         refine_poses(*refinement, starts_of(candidates), run)));
}

}  // namespace tessera::docking
