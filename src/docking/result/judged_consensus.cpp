#include "docking/result/judged_consensus.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/error.hpp"
#include "docking/model/nucleotide_atoms.hpp"
#include "kokkos_kernels/docking/assembly_pose.hpp"

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

DockedLigand docked_ligand(const PreparedDocking& prepared, bool dihedral) {
    return {prepared.ligand_structure, prepared.frame.ligand_center, prepared.refinement.ring,
            dihedral};
}

namespace {

/// The energy of each pose, or that of all pairs of a ring or of an assembly divided by its pairs
/// of neighbours.
template <class Energy>
std::vector<double>
energies_of(const PreparedDocking& prepared, const std::vector<RefinedPose>& refined,
            const std::vector<kernels::RigidPose>& opposites, const Energy& energy) {
    std::vector<double> energies(refined.size());
#pragma omp parallel for schedule(dynamic, 16)
    for (std::size_t i = 0; i < refined.size(); ++i)
        for (const auto& [pose, count] :
             kernels::counted_poses(refined[i].pose, opposites.empty() ? nullptr : &opposites[i],
                                    prepared.refinement.ring))
            energies[i] += count * energy(pose);
    return energies;
}

}  // namespace

std::vector<Candidate> candidates_of(const DockInput& input, const PreparedDocking& prepared,
                                     const std::vector<PoseList>& lists) {
    return collect_candidates(lists, positive_rotations(prepared.rotations), input.consensus.refine,
                              has_nucleotides(prepared.receptor_structure) ||
                                  has_nucleotides(prepared.ligand_structure));
}

std::vector<double> contact_energies(const PreparedDocking& prepared,
                                     const std::vector<RefinedPose>& refined,
                                     const std::vector<kernels::RigidPose>& opposites) {
    const ContactCounter counter(prepared.refinement, prepared.contact_types);
    return energies_of(prepared, refined, opposites, [&](const kernels::RigidPose& pose) {
        return contact_energy(counter, prepared.rescoring.contacts, pose);
    });
}

std::vector<double> statistical_energies(const PreparedDocking& prepared,
                                         const std::vector<RefinedPose>& refined,
                                         const std::vector<kernels::RigidPose>& opposites) {
    if (!prepared.rescoring.has_statistical()) return {};
    const StatisticalEnergy energy = statistical_energy(prepared);
    return energies_of(prepared, refined, opposites, [&](const kernels::RigidPose& pose) {
        return weighted(prepared.rescoring.statistical, energy.terms(pose));
    });
}

std::vector<double> cdr_shares(const PreparedDocking& prepared,
                               const std::vector<RefinedPose>& refined) {
    if (prepared.rescoring.cdr_share == 0) return {};
    const ContactCounter counter(prepared.refinement);
    return energies_of(prepared, refined, {}, [&](const kernels::RigidPose& pose) {
        return cdr_share(counter, prepared.in_cdr, pose);
    });
}

void judge(Consensus& consensus, const PreparedDocking& prepared) {
    if (!prepared.evaluation) return;
    consensus.quality.resize(consensus.poses.size());
#pragma omp parallel for schedule(dynamic, 16)
    for (std::size_t i = 0; i < consensus.poses.size(); ++i) {
        const auto& [rotation, translation] = consensus.poses[i].pose;
        const auto& opposite = consensus.poses[i].opposite;
        consensus.quality[i] =
            opposite
                ? prepared.assembly_evaluation.value()({rotation, translation}, *opposite)
                : prepared.evaluation_of(static_cast<std::size_t>(consensus.poses[i].origin.pair))(
                      rotation, prepared.frame.ligand_center, translation);
    }
}

namespace {

/// Keeps the poses that the membrane allows.
AllowedPoses beside_membrane(const PreparedDocking& prepared,
                             const std::vector<Candidate>& candidates,
                             const std::vector<RefinedPose>& refined) {
    if (!prepared.membrane) return {candidates, refined, {}, !refined.empty()};
    AllowedPoses kept;
    for (std::size_t i = 0; i < refined.size(); ++i) {
        if (!prepared.membrane->allows(refined[i].pose)) continue;
        kept.candidates.push_back(candidates[i]);
        kept.refined.push_back(refined[i]);
    }
    kept.some_beside_membrane = !kept.refined.empty();
    return kept;
}

/// Keeps those of them that satisfy enough restraints.
AllowedPoses satisfying(const DockInput& input, const PreparedDocking& prepared,
                        const AllowedPoses& poses) {
    std::vector<Satisfaction> found(poses.refined.size());
#pragma omp parallel for schedule(dynamic, 16)
    for (std::size_t i = 0; i < poses.refined.size(); ++i)
        found[i] = prepared.restraints.count(poses.refined[i].pose);
    const auto all = static_cast<double>(prepared.restraints.restraints.size());
    const double weight = input.restraints.weight_of(prepared.restraints.restraints.size());
    AllowedPoses kept;
    kept.some_beside_membrane = poses.some_beside_membrane;
    for (std::size_t i = 0; i < poses.refined.size(); ++i) {
        if (!found[i].is_enough) continue;
        kept.candidates.push_back(poses.candidates[i]);
        kept.refined.push_back(poses.refined[i]);
        kept.restraints.push_back(
            {found[i].satisfied, weight * (1 - found[i].satisfied / all) -
                                     input.restraints.closeness * found[i].closeness});
    }
    return kept;
}

}  // namespace

AllowedPoses allowed_poses(const DockInput& input, const PreparedDocking& prepared,
                           const std::vector<Candidate>& candidates,
                           const std::vector<RefinedPose>& refined) {
    AllowedPoses poses = beside_membrane(prepared, candidates, refined);
    return prepared.restraints.empty() ? poses : satisfying(input, prepared, poses);
}

void require_allowed(const PreparedDocking& prepared, const AllowedPoses& poses) {
    if (prepared.membrane && !poses.some_beside_membrane)
        throw Error("the membrane allows no refined pose",
                    "all poses of the search have moved out of its limits",
                    "refine more with --refine, or widen the limits of --membrane");
    if (!prepared.restraints.empty() && poses.refined.empty())
        throw Error("no refined pose satisfies the restraints", describe(prepared.restraints),
                    "lower --restraints-required or raise --restraints-tolerance");
}

Consensus judged_consensus(const DockInput& input, const PreparedDocking& prepared,
                           const std::vector<Candidate>& candidates,
                           const std::vector<RefinedPose>& refined) {
    AllowedPoses poses = allowed_poses(input, prepared, candidates, refined);
    require_allowed(prepared, poses);
    Consensus consensus = make_consensus(
        {poses.candidates, poses.refined, contact_energies(prepared, poses.refined),
         std::move(poses.restraints), statistical_energies(prepared, poses.refined),
         cdr_shares(prepared, poses.refined)},
        prepared.rescoring, docked_ligand(prepared), input.consensus, input.clustering);
    judge(consensus, prepared);
    return consensus;
}

}  // namespace tessera::docking
