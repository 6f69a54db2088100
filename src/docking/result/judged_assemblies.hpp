// The consensus of dihedral assemblies, from the rings that the second stage has found.
#pragma once

#include <vector>

#include "docking/refinement/consensus.hpp"
#include "docking/setup/prepare.hpp"

namespace tessera::docking {

/// Assemblies before their refinement.
struct AssemblyStarts {
    std::vector<Candidate> candidates;      ///< the next copy of each assembly
    std::vector<kernels::RigidPose> poses;  ///< two for each, as make_assembly_refinement() takes
};

/// The best two-fold axes of the first rings of the consensus (two_folds.hpp). Throws Error if
/// there are none.
AssemblyStarts assembly_starts(const DockInput& input, const PreparedDocking& prepared,
                               const Consensus& rings);

/// The consensus of the refined assemblies, two records for each. Their scores are those of all
/// pairs of copies. With qualities if there is a reference.
Consensus assembly_consensus(const DockInput& input, const PreparedDocking& prepared,
                             const AssemblyStarts& starts,
                             const std::vector<kernels::RefinedPose>& refined);

}  // namespace tessera::docking
