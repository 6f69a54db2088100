// The part of a pose's score that depends on where its atoms are, for partners whose side chains
// have moved.
#pragma once

#include <vector>

#include "docking/refinement/contact_counts.hpp"
#include "docking/refinement/near_atoms.hpp"
#include "docking/refinement/rescoring.hpp"
#include "io/proteins/structure.hpp"
#include "kokkos_kernels/docking/refine_problem.hpp"

namespace tessera::docking {

/// New places of atoms of a partner, in its own frame.
struct MovedAtoms {
    std::vector<int> atoms;
    std::vector<Vec3> positions;
};

/// Scores poses as the consensus does (docs/method/docking-refinement.md, "Score"), but without the
/// terms of the search and without the residues of the statistical potential, which do not depend
/// on side chains.
class InterfaceScore {
  public:
    /// `problem`, `weights` and the potential must outlive this object.
    InterfaceScore(const kernels::RefineProblem& problem, const ContactTypes& types,
                   const RescoringWeights& weights, const io::Structure& receptor,
                   const io::Structure& ligand);

    struct Change {
        double before = 0, after = 0;              ///< nats
        double clash_before = 0, clash_after = 0;  ///< sums of both terms of overlap
    };

    /// The scores of a pose without and with the moved atoms of receptor and ligand.
    Change operator()(const kernels::RigidPose& pose, const MovedAtoms& receptor,
                      const MovedAtoms& ligand) const;

  private:
    /// Atoms of a partner in the frame of the receptor.
    struct Placed {
        std::vector<kernels::RefineAtom> atoms;
        std::vector<int> contact_types, kinds;  ///< kinds: of the statistical potential, or -1
    };
    struct Partner {
        const std::vector<kernels::RefineAtom>* atoms;
        std::vector<int> contact_types, kinds;
        NearAtoms near;
    };

    std::vector<bool> near_other(const kernels::RigidPose& pose, int partner,
                                 const MovedAtoms* moved) const;
    Placed place(const kernels::RigidPose& pose, int partner, const std::vector<bool>& chosen,
                 const MovedAtoms* moved) const;
    void add(const Placed& receptor, const Placed& ligand, double& score, double& clash) const;

    const kernels::RefineProblem& problem_;
    const RescoringWeights& weights_;
    double reach_;
    Partner partners_[2];
};

}  // namespace tessera::docking
