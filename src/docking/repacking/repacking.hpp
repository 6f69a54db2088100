// Repacks the side chains at the interface of docked poses (docs/method/docking-repacking.md).
#pragma once

#include <memory>
#include <vector>

#include "docking/repacking/interface_score.hpp"
#include "docking/repacking/pack_partner.hpp"
#include "docking/repacking/pack_plan.hpp"
#include "kokkos_kernels/docking/pack.hpp"

namespace tessera::docking {

/// A pose with side chains in other conformations.
struct RepackedPose {
    kernels::PackPose plan;
    kernels::PackedPose packed;
    MovedAtoms receptor, ligand;
    InterfaceScore::Change score;

    int moved_side_chains() const;
};

/// What the repacking knows about a docking. All must outlive it.
struct RepackedDocking {
    const io::Structure &receptor, &ligand;
    const kernels::RefineProblem& refinement;
    const ContactTypes& contact_types;
    const RescoringWeights& weights;
};

class Repacking {
  public:
    Repacking(kernels::Backend backend, const RepackedDocking& docking,
              const kernels::PackParameters& parameters = {});

    /// A pose's result has the same bits whichever other poses are given with it.
    std::vector<RepackedPose> repack(const std::vector<kernels::RigidPose>& poses) const;

    const RepackedPartner& receptor() const { return receptor_; }
    const RepackedPartner& ligand() const { return ligand_; }

  private:
    RepackedPartner receptor_, ligand_;
    PackPlan plan_;
    InterfaceScore score_;
    std::unique_ptr<kernels::SideChainPacking> packing_;
};

}  // namespace tessera::docking
