#include "docking/result/repacked_consensus.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "docking/repacking/repacking.hpp"
#include "docking/result/judged_consensus.hpp"
#include "engine/guarded_workload.hpp"

namespace tessera::docking {

namespace {

double weighted(const RescoringWeights& weights, const RepackedChange& change) {
    return weights.repacked[0] * change.score + weights.repacked[1] * change.energy +
           weights.repacked[2] * change.binding;
}

/// Of an even number, the smaller of the two in the middle.
double median_change(const RescoringWeights& weights, const std::vector<RepackedChange>& changes) {
    std::vector<double> scores;
    scores.reserve(changes.size());
    for (const RepackedChange& change : changes) scores.push_back(weighted(weights, change));
    const auto middle = scores.begin() + (std::ssize(scores) - 1) / 2;
    std::ranges::nth_element(scores, middle);
    return *middle;
}

void sort_again(Consensus& consensus) {
    std::vector<std::size_t> order(consensus.poses.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        return comes_before(consensus.poses[a], consensus.poses[b]);
    });
    std::vector<ConsensusPose> poses;
    poses.reserve(order.size());
    std::vector<PoseQuality> quality;
    for (const std::size_t i : order) {
        poses.push_back(consensus.poses[i]);
        if (!consensus.quality.empty()) quality.push_back(consensus.quality[i]);
    }
    consensus.poses = std::move(poses);
    consensus.quality = std::move(quality);
}

std::vector<RepackedChange> changes_of(kernels::Backend backend, const PreparedDocking& prepared,
                                       const std::vector<kernels::RigidPose>& poses) {
    const Repacking repacking(backend,
                              {prepared.receptor_structure, prepared.ligand_structure,
                               prepared.refinement, prepared.contact_types, prepared.rescoring});
    std::vector<RepackedChange> changes;
    changes.reserve(poses.size());
    for (const RepackedPose& pose : repacking.repack(poses))
        changes.push_back({pose.score.after - pose.score.before,
                           pose.packed.energy - pose.packed.input_energy, pose.packed.binding(),
                           pose.moved_side_chains()});
    return changes;
}

}  // namespace

void apply_changes(Consensus& consensus, const std::vector<RepackedChange>& changes) {
    if (changes.empty()) return;
    consensus.repack_median = median_change(consensus.weights, changes);
    for (std::size_t i = 0; i < changes.size(); ++i) {
        consensus.poses[i].repacked = changes[i];
        consensus.poses[i].score +=
            weighted(consensus.weights, changes[i]) - consensus.repack_median;
    }
    sort_again(consensus);
}

void undo_repacking(Consensus& consensus) {
    for (ConsensusPose& pose : consensus.poses) {
        if (pose.repacked)
            pose.score -= weighted(consensus.weights, *pose.repacked) - consensus.repack_median;
        pose.repacked.reset();
    }
    consensus.repack_median = 0;
    consensus.quality.clear();
    sort_again(consensus);
}

void repack_best(kernels::Backend backend, const DockInput& input, const PreparedDocking& prepared,
                 Consensus& consensus) {
    std::vector<kernels::RigidPose> poses;
    for (const ConsensusPose& pose : consensus.poses) {
        if (std::ssize(poses) == input.consensus.repack) break;
        poses.push_back(pose.pose);
    }
    apply_changes(consensus, changes_of(backend, prepared, poses));
    cluster_again(consensus, docked_ligand(prepared), input.clustering);
}

Consensus repacked_consensus(kernels::Backend backend, const DockInput& input,
                             const PreparedDocking& prepared, Consensus consensus) {
    if (input.consensus.repack == 0) return consensus;
    Consensus repacked = consensus;
    if (try_on_device(Stage::refinement, "the repacking of side chains",
                      [&] { repack_best(backend, input, prepared, repacked); }))
        return repacked;
    repack_best(kernels::Backend::openmp, input, prepared, consensus);
    return consensus;
}

}  // namespace tessera::docking
