#include "docking/result/ring_copies.hpp"

#include "kokkos_kernels/docking/assembly_pose.hpp"

namespace tessera::docking {

std::vector<kernels::RigidPose> copies_of_pose(const DockResult& result, const ChosenList& list,
                                               std::size_t pose) {
    const kernels::RigidPose placed = list.placement(pose);
    if (!result.symmetry.is_set()) return {placed};
    const auto opposite = list.opposite(pose);
    return kernels::further_copies(placed, opposite ? &*opposite : nullptr,
                                   {result.symmetry.copies, result.frame.ligand_center});
}

}  // namespace tessera::docking
