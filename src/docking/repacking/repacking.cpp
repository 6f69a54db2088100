#include "docking/repacking/repacking.hpp"

#include <algorithm>

namespace tessera::docking {

namespace {

/// The atoms of a partner's side chains that are not as in the file.
MovedAtoms moved_atoms(const RepackedPose& pose, int partner, const kernels::PackPartner& packed) {
    MovedAtoms moved;
    for (std::size_t n = 0; n < pose.plan.nodes.size(); ++n) {
        const int rotamer = pose.packed.rotamers[n];
        if (pose.plan.nodes[n].partner != partner || rotamer == 0) continue;
        const kernels::PackSideChain& side = packed.side_chains[pose.plan.nodes[n].side_chain];
        for (std::size_t a = 0; a < side.atoms.size(); ++a) {
            const float* at = &side.positions[3 * (rotamer * side.atoms.size() + a)];
            moved.atoms.push_back(side.atoms[a]);
            moved.positions.push_back({at[0], at[1], at[2]});
        }
    }
    return moved;
}

}  // namespace

int RepackedPose::moved_side_chains() const {
    return static_cast<int>(
        std::ranges::count_if(packed.rotamers, [](int rotamer) { return rotamer != 0; }));
}

Repacking::Repacking(kernels::Backend backend, const RepackedDocking& docking,
                     const kernels::PackParameters& parameters)
    : receptor_(make_repacked_partner(docking.receptor, docking.refinement.receptor,
                                      rotamer_library(), parameters)),
      ligand_(make_repacked_partner(docking.ligand, docking.refinement.ligand, rotamer_library(),
                                    parameters)),
      plan_(receptor_.packed, ligand_.packed, parameters.cutoff),
      score_(docking.refinement, docking.contact_types, docking.weights, docking.receptor,
             docking.ligand),
      packing_(kernels::make_side_chain_packing(backend, receptor_.packed, ligand_.packed,
                                                parameters)) {}

std::vector<RepackedPose> Repacking::repack(const std::vector<kernels::RigidPose>& poses) const {
    std::vector<kernels::PackPose> plans(poses.size());
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t i = 0; i < poses.size(); ++i) plans[i] = plan_(poses[i]);
    std::vector<kernels::PackedPose> packed = packing_->pack(plans);
    std::vector<RepackedPose> repacked(poses.size());
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t i = 0; i < poses.size(); ++i) {
        RepackedPose& pose = repacked[i];
        pose.plan = std::move(plans[i]);
        pose.packed = std::move(packed[i]);
        pose.receptor = moved_atoms(pose, 0, receptor_.packed);
        pose.ligand = moved_atoms(pose, 1, ligand_.packed);
        pose.score = score_(poses[i], pose.receptor, pose.ligand);
    }
    return repacked;
}

}  // namespace tessera::docking
