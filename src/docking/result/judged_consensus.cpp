#include "docking/result/judged_consensus.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/error.hpp"
#include "kokkos_kernels/docking/ring_pose.hpp"

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

DockedLigand docked_ligand(const PreparedDocking& prepared) {
    return {prepared.ligand_structure, prepared.frame.ligand_center, prepared.refinement.ring};
}

namespace {

/// The energy of a pose, or that of all pairs of a ring divided by its pairs of neighbours.
template <class Energy>
double over_ring(const kernels::Ring& ring, const kernels::RigidPose& pose, const Energy& energy) {
    double sum = energy(pose);
    for (int k = 2; 2 * k <= ring.copies; ++k)
        sum +=
            kernels::pairs_per_neighbor(k, ring.copies) * energy(kernels::ring_copy(pose, ring, k));
    return sum;
}

}  // namespace

std::vector<double> contact_energies(const PreparedDocking& prepared,
                                     const std::vector<RefinedPose>& refined) {
    const ContactCounter counter(prepared.refinement);
    std::vector<double> energies(refined.size());
#pragma omp parallel for schedule(dynamic, 16)
    for (std::size_t i = 0; i < refined.size(); ++i)
        energies[i] = over_ring(prepared.refinement.ring, refined[i].pose, [&](const auto& pose) {
            return contact_energy(counter, prepared.rescoring.contacts, pose);
        });
    return energies;
}

std::vector<double> statistical_energies(const PreparedDocking& prepared,
                                         const std::vector<RefinedPose>& refined) {
    if (!prepared.rescoring.has_statistical()) return {};
    const StatisticalEnergy energy = statistical_energy(prepared);
    std::vector<double> energies(refined.size());
#pragma omp parallel for schedule(dynamic, 16)
    for (std::size_t i = 0; i < refined.size(); ++i)
        energies[i] = over_ring(prepared.refinement.ring, refined[i].pose, [&](const auto& pose) {
            return weighted(prepared.rescoring.statistical, energy.terms(pose));
        });
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
        kept.scores.push_back({found[i].satisfied, weight * (1 - found[i].satisfied / all)});
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
