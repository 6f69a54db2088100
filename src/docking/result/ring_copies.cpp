#include "docking/result/ring_copies.hpp"

#include "kokkos_kernels/docking/ring_pose.hpp"

namespace tessera::docking {

std::vector<kernels::RigidPose> copies_of_pose(const DockResult& result,
                                               const kernels::RigidPose& pose) {
    std::vector<kernels::RigidPose> copies{pose};
    const kernels::Ring ring{result.symmetry, result.frame.ligand_center};
    for (int k = 2; k < ring.copies; ++k) copies.push_back(kernels::ring_copy(pose, ring, k));
    return copies;
}

}  // namespace tessera::docking
