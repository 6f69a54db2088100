// The copies that a pose stands for.
#pragma once

#include <vector>

#include "docking/result/dock_result.hpp"
#include "kokkos_kernels/docking/refine_problem.hpp"

namespace tessera::docking {

/// The places of all further copies if a pose stands for a ring, otherwise of the ligand alone.
std::vector<kernels::RigidPose> copies_of_pose(const DockResult& result,
                                               const kernels::RigidPose& pose);

}  // namespace tessera::docking
