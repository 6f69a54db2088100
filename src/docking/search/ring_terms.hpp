// The energy of a ring of copies by the energy function of the search.
#pragma once

#include <array>
#include <vector>

#include "docking/model/frame.hpp"
#include "docking/model/pose.hpp"
#include "docking/search/rotation_set.hpp"
#include "kokkos_kernels/docking/correlation_problem.hpp"
#include "kokkos_kernels/docking/refine_problem.hpp"

namespace tessera::docking {

using Terms = std::array<double, term_count>;

/// Terms of poses that need not lie on grid points: each ligand atom takes the receptor's value at
/// the nearest point, and nothing outside the grid. On a grid point they are those of the search.
/// References must outlive this.
class PlacedTerms {
  public:
    PlacedTerms(const kernels::CorrelationProblem& problem, const DockingFrame& frame)
        : problem_(problem), frame_(frame) {}

    Terms operator()(const kernels::RigidPose& pose) const;

  private:
    const kernels::CorrelationProblem& problem_;
    const DockingFrame& frame_;
};

/// The terms of all pairs of a ring, divided by its pairs of neighbours.
Terms ring_terms(const PlacedTerms& terms, const kernels::RigidPose& next,
                 const kernels::Ring& ring);

/// Moves the poses of the lists to where their rings close, scores the rings, and sorts the lists
/// again. Works on the host with all threads.
void close_rings(std::vector<PoseList>& lists, const PlacedTerms& terms, const kernels::Ring& ring,
                 const RotationSet& rotations);

}  // namespace tessera::docking
