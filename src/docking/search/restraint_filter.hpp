// Keeps the poses of a tile that satisfy the distance restraints.
#pragma once

#include <vector>

#include "docking/model/frame.hpp"
#include "docking/restraints/distance_restraints.hpp"
#include "docking/search/rotation_set.hpp"
#include "kokkos_kernels/docking/correlation_problem.hpp"

namespace tessera::docking {

/// Where a pose of the search puts the ligand.
kernels::RigidPose placement_of(const kernels::PoseRecord& record, const RotationSet& rotations,
                                const DockingFrame& frame);

/// All references must outlive the filter.
class RestraintFilter {
  public:
    /// If `ring` is set, poses are measured where they close it.
    RestraintFilter(const DistanceRestraints& restraints, const RotationSet& rotations,
                    const DockingFrame& frame, const kernels::Ring& ring = {})
        : restraints_(restraints), rotations_(rotations), frame_(frame), ring_(ring) {}

    /// Removes the records whose poses satisfy too few restraints. The others keep their order.
    /// Works on the host with all threads, and does nothing if there are no restraints.
    void keep_satisfying(std::vector<kernels::PoseRecord>& records) const;

  private:
    const DistanceRestraints& restraints_;
    const RotationSet& rotations_;
    const DockingFrame& frame_;
    kernels::Ring ring_;
};

}  // namespace tessera::docking
