#include "docking/result/ensemble_poses.hpp"

#include <algorithm>
#include <tuple>

#include "docking/result/judged_consensus.hpp"

namespace tessera::docking {

namespace {

bool comes_before(const Pose& a, const Pose& b) {
    return std::tie(a.score, a.pair, a.rotation, a.voxel) <
           std::tie(b.score, b.pair, b.rotation, b.voxel);
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
            all.emplace_back(lists[s].poses[i]).pair = number;
        std::ranges::sort(all, [](const Pose& a, const Pose& b) { return comes_before(a, b); });
        all.resize(std::min(all.size(), most));
    }
    for (Candidate& candidate : candidates) candidate.pair = number;
    append(candidates_, candidates);
    append(refined_, refined);
    if (refined.empty()) return;
    append(contact_energies_, contact_energies(pair, refined));
    append(statistical_energies_, statistical_energies(pair, refined));
}

SortedPoses EnsemblePoses::finish() const {
    SortedPoses sorted{lists_, std::nullopt};
    if (input_.consensus.refine == 0) return sorted;
    sorted.consensus = make_consensus(
        {candidates_, refined_, contact_energies_, {}, statistical_energies_}, first_.rescoring,
        docked_ligand(first_), input_.consensus, input_.clustering);
    judge(*sorted.consensus, first_);
    return sorted;
}

}  // namespace tessera::docking
