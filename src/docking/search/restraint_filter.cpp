#include "docking/search/restraint_filter.hpp"

#include <cstddef>

#include "kokkos_kernels/docking/ring_pose.hpp"

namespace tessera::docking {

kernels::RigidPose placement_of(const kernels::PoseRecord& record, const RotationSet& rotations,
                                const DockingFrame& frame) {
    const auto t = kernels::wrapped_translation(record.voxel, frame.n);
    return {rotations[record.rotation],
            frame.receptor_center + frame.spacing * Vec3{1.0 * t[0], 1.0 * t[1], 1.0 * t[2]}};
}

void RestraintFilter::keep_satisfying(std::vector<kernels::PoseRecord>& records) const {
    if (restraints_.empty()) return;
    std::vector<char> is_kept(records.size());  // not vector<bool>: threads write side by side
#pragma omp parallel for schedule(dynamic, 64)
    for (std::size_t i = 0; i < records.size(); ++i) {
        const kernels::RigidPose found = placement_of(records[i], rotations_, frame_);
        const kernels::RigidPose pose = ring_.is_set() ? kernels::closed(found, ring_) : found;
        is_kept[i] = restraints_.are_satisfied(pose) ? 1 : 0;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < records.size(); ++i)
        if (is_kept[i] != 0) records[kept++] = records[i];
    records.resize(kept);
}

}  // namespace tessera::docking
