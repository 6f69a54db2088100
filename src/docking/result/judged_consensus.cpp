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

/// Refined poses that satisfy the restraints, and what these say about them.
struct Restrained {
    std::vector<Candidate> candidates;
    std::vector<RefinedPose> refined;
    std::vector<RestraintScore> scores;
};

Restrained satisfying(const DockInput& input, const PreparedDocking& prepared,
                      const std::vector<Candidate>& candidates,
                      const std::vector<RefinedPose>& refined) {
    std::vector<Satisfaction> found(refined.size());
#pragma omp parallel for schedule(dynamic, 16)
    for (std::size_t i = 0; i < refined.size(); ++i)
        found[i] = prepared.restraints.count(refined[i].pose);
    const auto all = static_cast<double>(prepared.restraints.restraints.size());
    const double weight = input.restraints.weight_of(prepared.restraints.restraints.size());
    Restrained kept;
    for (std::size_t i = 0; i < refined.size(); ++i) {
        if (!found[i].is_enough) continue;
        kept.candidates.push_back(candidates[i]);
        kept.refined.push_back(refined[i]);
        kept.scores.push_back(
            {found[i].satisfied, weight * (1 - found[i].satisfied / all) -
                                     input.restraints.closeness * found[i].closeness});
    }
    if (kept.refined.empty())
        throw Error("no refined pose satisfies the restraints", describe(prepared.restraints),
                    "lower --restraints-required or raise --restraints-tolerance");
    return kept;
}

Consensus consensus_of(const DockInput& input, const PreparedDocking& prepared,
                       const RefinedCandidates& poses) {
    Consensus consensus = make_consensus(poses, prepared.rescoring, docked_ligand(prepared),
                                         input.consensus, input.clustering);
    judge(consensus, prepared);
    return consensus;
}

Consensus restrained_consensus(const DockInput& input, const PreparedDocking& prepared,
                               const std::vector<Candidate>& candidates,
                               const std::vector<RefinedPose>& refined) {
    if (prepared.restraints.empty())
        return consensus_of(input, prepared,
                            {candidates,
                             refined,
                             contact_energies(prepared, refined),
                             {},
                             statistical_energies(prepared, refined)});
    Restrained kept = satisfying(input, prepared, candidates, refined);
    return consensus_of(input, prepared,
                        {kept.candidates, kept.refined, contact_energies(prepared, kept.refined),
                         std::move(kept.scores), statistical_energies(prepared, kept.refined)});
}

}  // namespace

Consensus judged_consensus(const DockInput& input, const PreparedDocking& prepared,
                           const std::vector<Candidate>& candidates,
                           const std::vector<RefinedPose>& refined) {
    if (!prepared.membrane) return restrained_consensus(input, prepared, candidates, refined);
    std::vector<Candidate> kept;
    std::vector<RefinedPose> poses;
    for (std::size_t i = 0; i < refined.size(); ++i) {
        if (!prepared.membrane->allows(refined[i].pose)) continue;
        kept.push_back(candidates[i]);
        poses.push_back(refined[i]);
    }
    if (poses.empty())
        throw Error("the membrane allows no refined pose",
                    "all poses of the search have moved out of its limits",
                    "refine more with --refine, or widen the limits of --membrane");
    return restrained_consensus(input, prepared, kept, poses);
}

}  // namespace tessera::docking
