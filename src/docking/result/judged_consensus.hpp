// The consensus of refined poses, with their contact energies and their qualities.
#pragma once

#include <vector>

#include "docking/refinement/consensus.hpp"
#include "docking/setup/prepare.hpp"

namespace tessera::docking {

/// The rotations of the search with w >= 0, as they are written to files.
std::vector<Quaternion> positive_rotations(const RotationSet& rotations);

/// The poses of the lists that are refined.
std::vector<Candidate> candidates_of(const DockInput& input, const PreparedDocking& prepared,
                                     const std::vector<PoseList>& lists);

/// The ligand whose poses the consensus compares; `dihedral`: they stand for assemblies.
DockedLigand docked_ligand(const PreparedDocking& prepared, bool dihedral = false);

/// The contact energy of each refined pose; of a ring or, with `opposites`, of a dihedral assembly,
/// the sum over all pairs for each pair of neighbours (kernels::counted_poses).
std::vector<double> contact_energies(const PreparedDocking& prepared,
                                     const std::vector<kernels::RefinedPose>& refined,
                                     const std::vector<kernels::RigidPose>& opposites = {});

/// The weighted statistical terms of each refined pose in the same way; empty if all weights are 0.
std::vector<double> statistical_energies(const PreparedDocking& prepared,
                                         const std::vector<kernels::RefinedPose>& refined,
                                         const std::vector<kernels::RigidPose>& opposites = {});

/// The share of each refined pose's contacts that CDRs make; empty if its weight is 0.
std::vector<double> cdr_shares(const PreparedDocking& prepared,
                               const std::vector<kernels::RefinedPose>& refined);

/// Fills in the qualities of all poses if there is a reference.
void judge(Consensus& consensus, const PreparedDocking& prepared);

/// Refined poses that satisfy enough restraints and that the membrane allows.
struct AllowedPoses {
    std::vector<Candidate> candidates;
    std::vector<kernels::RefinedPose> refined;
    std::vector<RestraintScore> restraints;  ///< empty without restraints
    bool some_beside_membrane = false;       ///< whether the membrane allows any pose
};

AllowedPoses allowed_poses(const DockInput& input, const PreparedDocking& prepared,
                           const std::vector<Candidate>& candidates,
                           const std::vector<kernels::RefinedPose>& refined);

/// Throws Error if restraints or a membrane have left no pose.
void require_allowed(const PreparedDocking& prepared, const AllowedPoses& poses);

/// The consensus of refined candidates, with qualities if there is a reference. Poses that satisfy
/// too few restraints, or that the membrane does not allow, are dropped. Throws Error if none is
/// left.
Consensus judged_consensus(const DockInput& input, const PreparedDocking& prepared,
                           const std::vector<Candidate>& candidates,
                           const std::vector<kernels::RefinedPose>& refined);

}  // namespace tessera::docking
