#include "docking/search/sort_poses.hpp"

#include <algorithm>

namespace tessera::docking {

namespace {

using kernels::PoseRecord;

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

bool comes_before(const Pose& a, const Pose& b) {
    if (a.score != b.score) return a.score < b.score;
    if (a.rotation != b.rotation) return a.rotation < b.rotation;
    return a.voxel < b.voxel;
}

}  // namespace

void BestRecords::add(std::span<const PoseRecord> records) {
    for (const PoseRecord& record : records) records_[record.set].push_back(record);
    for (auto& kept : records_) {
        if (kept.size() < 4 * keep_) continue;
        const auto end = kept.begin() + static_cast<std::ptrdiff_t>(keep_);
        std::nth_element(kept.begin(), end, kept.end(), kernels::better);
        kept.erase(end, kept.end());
    }
}

const std::vector<std::vector<PoseRecord>>& BestRecords::finish() {
    for (auto& records : records_) {
        const auto kept = std::min(records.size(), keep_);
        std::partial_sort(records.begin(), records.begin() + static_cast<std::ptrdiff_t>(kept),
                          records.end(), kernels::better);
        records.resize(kept);
    }
    return records_;
}

std::vector<PoseList> sort_records(const std::vector<std::vector<PoseRecord>>& best,
                                   const std::vector<CoefficientSet>& sets,
                                   const RotationSet& rotations, const DockingFrame& frame,
                                   kernels::TermSums& sums) {
    std::vector<PoseList> lists;
    const auto members = static_cast<std::uint32_t>(rotations.group.size());
    for (std::size_t s = 0; s < sets.size(); ++s) {
        std::vector<Quaternion> bases;
        for (const PoseRecord& record : best[s])
            bases.push_back(rotations.bases[record.rotation / members]);
        const auto terms = sums.terms(best[s], bases);
        PoseList list{sets[s], {}};
        for (std::size_t i = 0; i < best[s].size(); ++i)
            list.poses.push_back(make_pose(best[s][i], terms[i], sets[s], frame));
        std::sort(list.poses.begin(), list.poses.end(), comes_before);
        lists.push_back(std::move(list));
    }
    return lists;
}

std::vector<PoseList> sort_poses(const std::vector<TilePartial<PoseRecord>>& partials,
                                 const std::vector<CoefficientSet>& sets, std::int64_t keep,
                                 const RotationSet& rotations, const DockingFrame& frame,
                                 kernels::TermSums& sums) {
    BestRecords best(sets.size(), keep);
    for (const auto& partial : partials) best.add(partial.records);
    return sort_records(best.finish(), sets, rotations, frame, sums);
}

}  // namespace tessera::docking
