// How long the steps after the search of a docking take (declared in docking_plan.hpp).
#include <algorithm>
#include <cmath>
#include <optional>

#include "docking/evaluation/clustering.hpp"
#include "docking/pairs/host_threads.hpp"
#include "docking/search/ring_terms.hpp"
#include "io/proteins/nucleotides.hpp"
#include "kokkos_kernels/docking/ring_pose.hpp"
#include "plan/docking_plan.hpp"

namespace tessera::plan {

namespace {

using docking::DockInput;
using docking::PreparedDocking;
using kernels::RigidPose;

// Seconds, measured on two cores. They make up little of the total.
constexpr double record_seconds = 25e-9;    // gather and sort one found pose
constexpr double pair_seconds = 25e-9;      // compare two poses for clustering
constexpr double pair_atom_seconds = 1e-9;  // the same, for each C-alpha atom
constexpr double docking_write_seconds = 0.01, write_bytes_rate = 3e8;
constexpr double place_pair_seconds = 4.2e-9;  // compute the distance of two refined poses
/// Share of different poses among the lists of several sets: 0.48 to 0.71 of three times 4,000 or
/// 10,000 poses in 94 complexes. Median share of these that are not duplicates.
constexpr double different_share = 0.57, kept_share = 0.09;

/// Poses of a set: `poses`, or all found poses if there are fewer.
double at_most_found(const DockInput& input, std::int64_t poses, double rotations) {
    return std::min(static_cast<double>(poses), rotations * input.poses_per_rotation);
}

double cluster_seconds(const DockInput& input, const PreparedDocking& prepared,
                       const std::vector<RigidPose>& tried, double poses, int threads) {
    std::vector<docking::Pose> places;
    std::vector<Quaternion> rotations;
    for (const RigidPose& pose : tried) {
        places.emplace_back().translation = pose.translation;
        rotations.push_back(pose.rotation);
    }
    const double seconds = seconds_of([&] {
        docking::cluster_poses(places, rotations, prepared.frame.ligand_center,
                               prepared.receptor_structure, prepared.ligand_structure,
                               input.clustering);
    });
    const auto residues =
        static_cast<double>(std::ranges::count_if(prepared.ligand_structure.atoms, io::is_trace));
    const double pair = pair_seconds + pair_atom_seconds * residues;
    const auto sampled = static_cast<double>(tried.size());
    const double place = std::max(0.0, seconds - pair * sampled * sampled / 2) / sampled;
    const double count = std::min(poses, static_cast<double>(input.clustering.poses));
    return (place * count + pair * count * count / 2) / (count >= 200 ? threads : 1);
}

/// Seconds to evaluate one pose on one thread.
double evaluation_seconds(const PreparedDocking& prepared, const std::vector<RigidPose>& tried) {
    if (!prepared.evaluation) return 0;
    const double seconds = seconds_of([&] {
        for (const RigidPose& pose : tried)
            (*prepared.evaluation)(pose.rotation, prepared.frame.ligand_center, pose.translation);
    });
    return seconds / static_cast<double>(tried.size());
}

/// Seconds to close and score the ring of one pose on one thread. 0 for other poses.
double ring_seconds(const PreparedDocking& prepared, const std::vector<RigidPose>& tried) {
    const kernels::Ring& ring = prepared.refinement.ring;
    if (!ring.is_set()) return 0;
    const docking::PlacedTerms terms(prepared.problem, prepared.frame);
    const double seconds = seconds_of([&] {
        for (const RigidPose& pose : tried)
            docking::ring_terms(terms, kernels::closed(pose, ring), ring);
    });
    return seconds / static_cast<double>(tried.size());
}

/// Pairs of copies whose contacts are counted for each pose.
double pairs_of(const PreparedDocking& prepared) {
    const int copies = prepared.refinement.ring.copies;
    return copies > 0 ? std::floor(0.5 * copies) : 1;
}

/// Seconds to count the contacts of one refined pose and to add up its statistical terms on one
/// thread.
double contact_seconds(const PreparedDocking& prepared, const std::vector<RigidPose>& tried) {
    const docking::ContactCounter counter(prepared.refinement, prepared.contact_types);
    std::optional<docking::StatisticalEnergy> statistical;
    if (prepared.rescoring.has_statistical())
        statistical.emplace(docking::statistical_energy(prepared));
    const double seconds = seconds_of([&] {
        for (const RigidPose& pose : tried) {
            docking::contact_energy(counter, prepared.rescoring.contacts, pose);
            if (statistical) statistical->terms(pose);
        }
    });
    return seconds / static_cast<double>(tried.size());
}

}  // namespace

double refined_poses(const DockInput& input, double rotations) {
    const auto has_pair_term = [](const docking::CoefficientSet& set) {
        return set.weights[3] != 0;
    };
    const auto with = static_cast<double>(std::ranges::count_if(input.sets, has_pair_term));
    const double lists = with > 0 ? with : static_cast<double>(input.sets.size());
    const double listed = at_most_found(input, input.consensus.refine, rotations);
    return std::ceil(lists * listed * (lists > 1 ? different_share : 1));
}

std::vector<RigidPose> poses_to_try(const PreparedDocking& prepared, const SearchSample& sample,
                                    std::vector<Quaternion> bases) {
    constexpr std::size_t most = 100;
    const docking::DockingFrame& frame = prepared.frame;
    const docking::RotationSet set{std::move(bases), sample.group, ""};
    std::vector<RigidPose> tried;
    for (const kernels::PoseRecord& record : sample.poses) {
        if (tried.size() == most) break;
        const auto t = kernels::wrapped_translation(record.voxel, frame.n);
        tried.push_back(
            {set[record.rotation],
             frame.receptor_center + frame.spacing * Vec3{1.0 * t[0], 1.0 * t[1], 1.0 * t[2]}});
    }
    if (tried.empty())
        tried.assign(32, {set.bases.front(), frame.receptor_center + Vec3{15, 0, 0}});
    return tried;
}

std::vector<PhaseEstimate> plan_after_search(const DockInput& input,
                                             const PreparedDocking& prepared,
                                             const SearchSample& sample,
                                             const std::vector<RigidPose>& tried, Basis basis) {
    const auto rotations = static_cast<double>(prepared.rotations.size());
    const auto sets = static_cast<double>(input.sets.size());
    const double found = rotations * sets * input.poses_per_rotation;
    const double kept = at_most_found(input, input.poses, rotations);
    const double sorted = at_most_found(input, input.poses_sorted(), rotations);
    const double refined = refined_poses(input, rotations);
    const int threads = docking::max_threads();
    const double clusters = cluster_seconds(input, prepared, tried, kept, threads);
    const double quality = evaluation_seconds(prepared, tried) / threads;
    const double consensus = place_pair_seconds * refined * refined * (1.0 / threads + kept_share) +
                             quality * kept_share * refined +
                             (refined > 0 ? contact_seconds(prepared, tried) : 0) *
                                 pairs_of(prepared) * refined / threads;
    const double bytes = rotations * 32 + sets * kept * 100;
    std::vector<PhaseEstimate> phases{
        {"gather", found * record_seconds, Basis::table},
        {"rank",
         found * record_seconds +
             sets * sorted * (sample.terms_seconds + ring_seconds(prepared, tried) / threads),
         basis},
        {"refine", consensus, basis},
        {"cluster and evaluate", sets * (clusters + quality * kept), Basis::sampled},
        {"write result", docking_write_seconds + bytes / write_bytes_rate, Basis::table}};
    if (refined == 0)
        std::erase_if(phases, [](const PhaseEstimate& phase) { return phase.name == "refine"; });
    return phases;
}

}  // namespace tessera::plan
