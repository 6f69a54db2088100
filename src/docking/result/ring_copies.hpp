// The copies that a pose stands for.
#pragma once

#include <cstddef>
#include <vector>

#include "docking/result/chosen_list.hpp"
#include "kokkos_kernels/docking/refine_problem.hpp"

namespace tessera::docking {

/// The places of all further copies if a pose stands for a ring or an assembly, otherwise of the
/// ligand alone.
std::vector<kernels::RigidPose> copies_of_pose(const DockResult& result, const ChosenList& list,
                                               std::size_t pose);

}  // namespace tessera::docking
