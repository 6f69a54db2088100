#include "docking/second_stage.hpp"

#include "guarded_workload.hpp"
#include "kokkos_kernels/device_guard.hpp"
#include "mpi/gather_by_tile.hpp"
#include "mpi/mpi_error.hpp"
#include "mpi/node_tile_iterator.hpp"

namespace tessera::docking {

namespace {

using kernels::RefinedPose;

std::vector<RefinedPose> in_order(const std::vector<TilePartial<RefinedPose>>& partials) {
    std::vector<RefinedPose> refined;
    for (const auto& partial : partials)
        refined.insert(refined.end(), partial.records.begin(), partial.records.end());
    return refined;
}

/// All tiles one after another, for one rank alone.
class TilesInOrder {
  public:
    explicit TilesInOrder(std::vector<Tile> tiles) : tiles_(std::move(tiles)) {}

    std::optional<Tile> next() {
        if (next_ == tiles_.size()) return std::nullopt;
        return tiles_[next_++];
    }

  private:
    std::vector<Tile> tiles_;
    std::size_t next_ = 0;
};

std::int64_t size_of(const std::vector<kernels::RigidPose>& poses) {
    return static_cast<std::int64_t>(poses.size());
}

}  // namespace

std::vector<RefinedPose> refine_poses(const mpi::Communicator& world,
                                      kernels::PoseRefinement& refinement,
                                      std::vector<kernels::RigidPose> starts,
                                      const TileLoopControl& control) {
    world.broadcast(starts);
    mpi::NodeTileIterator tiles(world, cut_into_tiles(size_of(starts), poses_per_tile));
    RefineWorkload on_device(refinement, starts);
    GuardedWorkload workload(Stage::refinement, on_device);
    NoJournal<RefinedPose> journal;
    TileRun<RefinedPose> run;
    world.together([&] { run = run_tiles(workload, tiles, journal, control); });
    if (world.allreduce_sum(run.tiles_done) < tiles.tiles_total())
        throw mpi::SharedError("stopped before the poses were refined", "a signal asked for it",
                               "start the same command again", ExitCode::requeue);
    return in_order(mpi::gather_by_tile(world, run.partials, tiles.tiles_total()));
}

std::vector<RefinedPose> refine_poses(kernels::PoseRefinement& refinement,
                                      const std::vector<kernels::RigidPose>& starts) {
    RefineWorkload on_device(refinement, starts);
    GuardedWorkload workload(Stage::refinement, on_device);
    TilesInOrder tiles(cut_into_tiles(size_of(starts), poses_per_tile));
    NoJournal<RefinedPose> journal;
    return in_order(run_tiles(workload, tiles, journal).partials);
}

std::vector<Quaternion> positive_rotations(const RotationSet& rotations) {
    std::vector<Quaternion> all;
    for (std::int64_t r = 0; r < rotations.size(); ++r) {
        const Quaternion q = rotations[r];
        all.push_back(q.w < 0 ? Quaternion{-q.w, -q.x, -q.y, -q.z} : q);
    }
    return all;
}

std::vector<double> contact_energies(const PreparedDocking& prepared,
                                     const std::vector<RefinedPose>& refined) {
    const ContactCounter counter(prepared.refinement);
    std::vector<double> energies(refined.size());
#pragma omp parallel for schedule(dynamic, 16)
    for (std::size_t i = 0; i < refined.size(); ++i)
        energies[i] = contact_energy(counter, prepared.rescoring.contacts, refined[i].pose);
    return energies;
}

void judge(Consensus& consensus, const PreparedDocking& prepared) {
    if (!prepared.evaluation) return;
    consensus.quality.resize(consensus.poses.size());
#pragma omp parallel for schedule(dynamic, 16)
    for (std::size_t i = 0; i < consensus.poses.size(); ++i) {
        const kernels::RigidPose& pose = consensus.poses[i].pose;
        consensus.quality[i] =
            (*prepared.evaluation)(pose.rotation, prepared.frame.ligand_center, pose.translation);
    }
}

Consensus judged_consensus(const DockInput& input, const PreparedDocking& prepared,
                           const std::vector<Candidate>& candidates,
                           const std::vector<RefinedPose>& refined) {
    Consensus consensus = make_consensus(
        candidates, refined, contact_energies(prepared, refined), prepared.rescoring,
        prepared.frame.ligand_center, prepared.ligand_structure, input.consensus, input.clustering);
    judge(consensus, prepared);
    return consensus;
}

std::optional<Consensus> second_stage(const mpi::Communicator& world, kernels::Backend backend,
                                      const DockInput& input, const PreparedDocking& prepared,
                                      const std::vector<PoseList>& lists,
                                      const TileLoopControl& control) {
    if (input.consensus.refine == 0) return std::nullopt;
    std::vector<Candidate> candidates;
    std::shared_ptr<kernels::PoseRefinement> refinement;
    world.together([&] {
        if (world.is_root())
            candidates = collect_candidates(lists, positive_rotations(prepared.rotations),
                                            input.consensus.refine);
        refinement = kernels::kept_if_lost(make_pose_refinement(backend, prepared.refinement));
    });
    const auto refined = refine_poses(world, *refinement, starts_of(candidates), control);
    std::optional<Consensus> consensus;
    world.together([&] {
        if (world.is_root()) consensus = judged_consensus(input, prepared, candidates, refined);
    });
    return consensus;
}

std::optional<Consensus> second_stage(kernels::Backend backend, const DockInput& input,
                                      const PreparedDocking& prepared,
                                      const std::vector<PoseList>& lists) {
    if (input.consensus.refine == 0) return std::nullopt;
    const auto candidates =
        collect_candidates(lists, positive_rotations(prepared.rotations), input.consensus.refine);
    std::shared_ptr<kernels::PoseRefinement> refinement;
    kernels::guard_device([&] {
        refinement = kernels::kept_if_lost(make_pose_refinement(backend, prepared.refinement));
    });
    return judged_consensus(input, prepared, candidates,
                            refine_poses(*refinement, starts_of(candidates)));
}

}  // namespace tessera::docking
