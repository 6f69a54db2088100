#include "docking/result/ensemble_poses.hpp"

#include <algorithm>
#include <tuple>

namespace tessera::docking {

namespace {

bool comes_before(const Pose& a, const Pose& b) {
    return std::tie(a.score, a.pair, a.rotation, a.voxel) <
           std::tie(b.score, b.pair, b.rotation, b.voxel);
}

/// A pose of this pair, and the number of its restraints that it satisfies.
Pose of_pair(const PreparedDocking& pair, std::int64_t number, Pose pose) {
    pose.pair = number;
    if (!pair.restraints.empty())
        pose.satisfied =
            pair.restraints.count({pair.rotations[pose.rotation], pose.translation}).satisfied;
    return pose;
}

template <class Value>
void append(std::vector<Value>& all, const std::vector<Value>& more) {
    all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

void EnsemblePoses::add(const PreparedDocking& pair, std::int64_t number,
                        const std::vector<PoseList>& lists, std::vector<Candidate> candidates,
                        const std::vector<kernels::RefinedPose>& refined) {
    const auto most = static_cast<std::size_t>(input_.poses);
    lists_.resize(lists.size());
    for (std::size_t s = 0; s < lists.size(); ++s) {
        lists_[s].set = lists[s].set;
        std::vector<Pose>& all = lists_[s].poses;
        for (std::size_t i = 0; i < std::min(most, lists[s].poses.size()); ++i)
            all.push_back(of_pair(pair, number, lists[s].poses[i]));
        std::ranges::sort(all, [](const Pose& a, const Pose& b) { return comes_before(a, b); });
        all.resize(std::min(all.size(), most));
    }
    for (Candidate& candidate : candidates) candidate.pair = number;
    const AllowedPoses allowed = allowed_poses(input_, pair, candidates, refined);
    append(poses_.candidates, allowed.candidates);
    append(poses_.refined, allowed.refined);
    append(poses_.restraints, allowed.restraints);
    poses_.some_beside_membrane |= allowed.some_beside_membrane;
    if (allowed.refined.empty()) return;
    append(contact_energies_, contact_energies(pair, allowed.refined));
    append(statistical_energies_, statistical_energies(pair, allowed.refined));
    append(cdr_shares_, cdr_shares(pair, allowed.refined));
}

SortedPoses EnsemblePoses::finish() const {
    require_restrained_poses(first_, lists_);
    SortedPoses sorted{lists_, std::nullopt};
    if (input_.consensus.refine == 0) return sorted;
    require_allowed(first_, poses_);
    sorted.consensus = make_consensus({poses_.candidates, poses_.refined, contact_energies_,
                                       poses_.restraints, statistical_energies_, cdr_shares_},
                                      first_.rescoring, docked_ligand(first_), input_.consensus,
                                      input_.clustering);
    judge(*sorted.consensus, first_);
    return sorted;
}

}  // namespace tessera::docking
