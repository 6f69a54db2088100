#include <algorithm>

#include "docking/dock_workload.hpp"

namespace tessera::docking {

namespace {

using kernels::PoseRecord;

/// The best `keep` of each set by the search's own score.
std::vector<std::vector<PoseRecord>>
best_records(const std::vector<TilePartial<PoseRecord>>& partials, std::size_t sets,
             std::int64_t keep) {
    std::vector<std::vector<PoseRecord>> best(sets);
    for (const auto& partial : partials)
        for (const PoseRecord& record : partial.records) best[record.set].push_back(record);
    for (auto& records : best) {
        const auto kept = std::min(records.size(), static_cast<std::size_t>(keep));
        std::partial_sort(records.begin(), records.begin() + static_cast<std::ptrdiff_t>(kept),
                          records.end(), kernels::better);
        records.resize(kept);
    }
    return best;
}

Pose make_pose(const PoseRecord& record, const std::array<double, kernels::max_terms>& terms,
               const CoefficientSet& set, const DockingFrame& frame) {
    const auto t = kernels::wrapped_translation(record.voxel, frame.n);
    Pose pose;
    pose.rotation = record.rotation;
    pose.voxel = record.voxel;
    pose.translation =
        frame.receptor_center + frame.spacing * Vec3{1.0 * t[0], 1.0 * t[1], 1.0 * t[2]};
    pose.terms = terms;
    for (int k = 0; k < term_count; ++k) pose.score += set.weights[k] * terms[k];
    return pose;
}

bool ranks_before(const Pose& a, const Pose& b) {
    if (a.score != b.score) return a.score < b.score;
    if (a.rotation != b.rotation) return a.rotation < b.rotation;
    return a.voxel < b.voxel;
}

}  // namespace

std::vector<PoseList> rank_poses(const std::vector<TilePartial<PoseRecord>>& partials,
                                 const std::vector<CoefficientSet>& sets, std::int64_t keep,
                                 const RotationSet& rotations, const DockingFrame& frame,
                                 kernels::CorrelationSearch& search) {
    std::vector<PoseList> lists;
    const auto best = best_records(partials, sets.size(), keep);
    const auto members = static_cast<std::uint32_t>(rotations.group.size());
    for (std::size_t s = 0; s < sets.size(); ++s) {
        std::vector<Quaternion> bases;
        for (const PoseRecord& record : best[s])
            bases.push_back(rotations.bases[record.rotation / members]);
        const auto terms = search.terms(best[s], bases);
        PoseList list{sets[s], {}};
        for (std::size_t i = 0; i < best[s].size(); ++i)
            list.poses.push_back(make_pose(best[s][i], terms[i], sets[s], frame));
        std::sort(list.poses.begin(), list.poses.end(), ranks_before);
        lists.push_back(std::move(list));
    }
    return lists;
}

}  // namespace tessera::docking
