#include "docking/run/second_stage.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "docking/result/judged_consensus.hpp"
#include "engine/guarded_workload.hpp"
#include "io/files/sha256.hpp"
#include "kokkos_kernels/device/device_guard.hpp"
#include "mpi/gather_by_tile.hpp"
#include "mpi/mpi_error.hpp"
#include "mpi/scheduling/node_tile_iterator.hpp"

namespace tessera::docking {

namespace {

using kernels::RefinedPose;

std::vector<RefinedPose> in_order(const std::vector<TilePartial<RefinedPose>>& partials) {
    std::vector<RefinedPose> refined;
    for (const auto& partial : partials)
        refined.insert(refined.end(), partial.records.begin(), partial.records.end());
    return refined;
}

/// Lets run_tiles write the refinement's tiles into the run's journal, if there is one.
class RefinementRecorder {
  public:
    RefinementRecorder(TileFiles* files, const std::vector<kernels::RigidPose>& starts) {
        if (files) journal_.emplace(*files, RunPhase::refinement, hash_of(starts));
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

/// Hands out all tiles one after another, on one rank alone.
class TilesInOrder {
  public:
    explicit TilesInOrder(std::vector<Tile> tiles) : tiles_(std::move(tiles)) {}

    std::optional<Tile> next() {
        if (next_ == tiles_.size()) return std::nullopt;
        return tiles_[next_++];
    }
    std::int64_t drawn() const { return static_cast<std::int64_t>(next_); }
    std::int64_t total() const { return std::ssize(tiles_); }

  private:
    std::vector<Tile> tiles_;
    std::size_t next_ = 0;
};

/// `Thrown`: SharedError if all ranks throw, otherwise Error. `kept`: a journal holds what is done.
template <class Thrown>
void require_refined(std::int64_t tiles, std::int64_t total, bool kept) {
    if (tiles >= total) return;
    std::string what_to_do = "start the same command again";
    if (kept)
        what_to_do += ", which goes on after the search and the " + std::to_string(tiles) + " of " +
                      std::to_string(total) + " tiles of poses that are done";
    throw Thrown("stopped before the poses were refined", "a signal asked for it", what_to_do,
                 ExitCode::requeue);
}

/// Null if this rank's device is lost before or during this call.
std::shared_ptr<kernels::PoseRefinement> refinement_if_able(kernels::Backend backend,
                                                            const PreparedDocking& prepared) {
    std::shared_ptr<kernels::PoseRefinement> refinement;
    const bool able = try_on_device(Stage::load, "the refinement of poses", [&] {
        refinement = kernels::kept_if_lost(make_pose_refinement(backend, prepared.refinement));
    });
    return able ? refinement : nullptr;
}

std::int64_t size_of(const std::vector<kernels::RigidPose>& poses) {
    return static_cast<std::int64_t>(poses.size());
}

}  // namespace

std::vector<RefinedPose> refine_poses(const mpi::Communicator& world,
                                      kernels::PoseRefinement* refinement,
                                      std::vector<kernels::RigidPose> starts,
                                      const RefinementRun& run) {
    world.broadcast(starts);
    RefinementRecorder recorder(run.journal, starts);
    const mpi::Communicator able = world.split(refinement ? 0 : 1, world.rank());
    if (world.allreduce_sum(refinement ? 1 : 0) == 0)
        throw mpi::SharedError("poses cannot be refined", "no rank has a device any more",
                               "start the same command again, it keeps the finished tiles",
                               ExitCode::resources);
    const auto cut = cut_into_tiles(size_of(starts), poses_per_tile);
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
    RefineWorkload on_device(refinement, starts);
    GuardedWorkload workload(Stage::refinement, on_device);
    TilesInOrder tiles(cut_into_tiles(size_of(starts), poses_per_tile));
    RefinementRecorder recorder(run.journal, starts);
    const auto told = [&] {
        if (run.after_tile) run.after_tile(tiles.drawn(), tiles.total());
    };
    auto partials = run_tiles(workload, tiles, recorder, {run.stop, told}).partials;
    require_refined<Error>(std::ssize(partials), tiles.total(), run.journal != nullptr);
    std::ranges::sort(partials, {}, &TilePartial<RefinedPose>::id);
    return in_order(partials);
}

std::optional<Consensus> second_stage(const mpi::Communicator& world, kernels::Backend backend,
                                      const DockInput& input, const PreparedDocking& prepared,
                                      const std::vector<PoseList>& lists,
                                      const RefinementRun& run) {
    if (input.consensus.refine == 0) return std::nullopt;
    std::vector<Candidate> candidates;
    std::shared_ptr<kernels::PoseRefinement> refinement;
    world.together([&] {
        if (world.is_root())
            candidates = collect_candidates(lists, positive_rotations(prepared.rotations),
                                            input.consensus.refine);
        refinement = refinement_if_able(backend, prepared);
    });
    const auto refined = refine_poses(world, refinement.get(), starts_of(candidates), run);
    std::optional<Consensus> consensus;
    world.together([&] {
        if (world.is_root()) consensus = judged_consensus(input, prepared, candidates, refined);
    });
    return consensus;
}

std::optional<Consensus> second_stage(kernels::Backend backend, const DockInput& input,
                                      const PreparedDocking& prepared,
                                      const std::vector<PoseList>& lists,
                                      const RefinementAlone& run) {
    if (input.consensus.refine == 0) return std::nullopt;
    const auto candidates =
        collect_candidates(lists, positive_rotations(prepared.rotations), input.consensus.refine);
    std::shared_ptr<kernels::PoseRefinement> refinement;
    kernels::guard_device([&] {
        refinement = kernels::kept_if_lost(make_pose_refinement(backend, prepared.refinement));
    });
    return judged_consensus(input, prepared, candidates,
                            refine_poses(*refinement, starts_of(candidates), run));
}

}  // namespace tessera::docking
