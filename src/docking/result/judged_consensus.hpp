// The consensus of refined poses, with what their contacts weigh and how near they are to a reference.
#pragma once

#include <vector>

#include "docking/refinement/consensus.hpp"
#include "docking/setup/prepare.hpp"

namespace tessera::docking {

/// The search's rotations as files hold them, w >= 0.
std::vector<Quaternion> positive_rotations(const RotationSet& rotations);

/// What the contacts of each refined pose weigh.
std::vector<double> contact_energies(const PreparedDocking& prepared,
                                     const std::vector<kernels::RefinedPose>& refined);

/// Fills in the qualities of all poses where there is a reference.
void judge(Consensus& consensus, const PreparedDocking& prepared);

/// Consensus of refined candidates, judged by the reference where there is one.
Consensus judged_consensus(const DockInput& input, const PreparedDocking& prepared,
                           const std::vector<Candidate>& candidates,
                           const std::vector<kernels::RefinedPose>& refined);

}  // namespace tessera::docking
