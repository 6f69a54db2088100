// Joins the poses of all pairs of conformers into one result.
#pragma once

#include <cstdint>
#include <vector>

#include "docking/result/finish_result.hpp"
#include "docking/result/judged_consensus.hpp"
#include "docking/setup/dock_input.hpp"
#include "docking/setup/prepare.hpp"

namespace tessera::docking {

/// Collects what the dockings of single pairs have found, pair by pair. The order is that of the
/// pairs, so the bits do not depend on who computed what. Places of the ligand are compared as if
/// all poses had its first conformer, on which the others are superposed. Restraints and membranes
/// are those of the pair, with the atoms of its conformers.
class EnsemblePoses {
  public:
    /// `first`: the result of prepare(), which must outlive this. Throws Error if a result cannot
    /// hold its atoms.
    EnsemblePoses(const DockInput& input, const PreparedDocking& first)
        : input_(input), first_(first) {
        require_plain_names(whole_partners(first));
    }

    /// Takes the lists of a pair, and its candidates before and after their refinement.
    void add(const PreparedDocking& pair, std::int64_t number, const std::vector<PoseList>& lists,
             std::vector<Candidate> candidates, const std::vector<kernels::RefinedPose>& refined);

    /// The best poses of each set, and one consensus of all refined poses. Throws Error if
    /// restraints or a membrane have left none.
    SortedPoses finish() const;

  private:
    const DockInput& input_;
    const PreparedDocking& first_;
    std::vector<PoseList> lists_;
    AllowedPoses poses_;
    std::vector<double> contact_energies_, statistical_energies_, cdr_shares_;
};

}  // namespace tessera::docking
