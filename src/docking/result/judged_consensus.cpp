#include "docking/result/judged_consensus.hpp"

#include <cstdint>

namespace tessera::docking {

using kernels::RefinedPose;

std::vector<Quaternion> positive_rotations(const RotationSet& rotations) {
    std::vector<Quaternion> all;
    for (std::int64_t r = 0; r < rotations.size(); ++r) {
        const Quaternion q = rotations[r];
        all.push_back(q.w < 0 ? Quaternion{-q.w, -q.x, -q.y, -q.z} : q);
    }
    return all;
}

std::vector<double> contact_energies(const PreparedDocking& prepared,
                                     const std::vector<RefinedPose>& refined) {
    const ContactCounter counter(prepared.refinement);
    std::vector<double> energies(refined.size());
#pragma omp parallel for schedule(dynamic, 16)
    for (std::size_t i = 0; i < refined.size(); ++i)
        energies[i] = contact_energy(counter, prepared.rescoring.contacts, refined[i].pose);
    return energies;
}

void judge(Consensus& consensus, const PreparedDocking& prepared) {
    if (!prepared.evaluation) return;
    consensus.quality.resize(consensus.poses.size());
#pragma omp parallel for schedule(dynamic, 16)
    for (std::size_t i = 0; i < consensus.poses.size(); ++i) {
        const kernels::RigidPose& pose = consensus.poses[i].pose;
        consensus.quality[i] =
            (*prepared.evaluation)(pose.rotation, prepared.frame.ligand_center, pose.translation);
    }
}

Consensus judged_consensus(const DockInput& input, const PreparedDocking& prepared,
                           const std::vector<Candidate>& candidates,
                           const std::vector<RefinedPose>& refined) {
    Consensus consensus = make_consensus(
        {candidates, refined, contact_energies(prepared, refined)}, prepared.rescoring,
        prepared.frame.ligand_center, prepared.ligand_structure, input.consensus, input.clustering);
    judge(consensus, prepared);
    return consensus;
}

}  // namespace tessera::docking
