#include "docking/refinement/consensus.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <type_traits>

#include "docking/evaluation/rigid_distance.hpp"
#include "io/proteins/nucleotides.hpp"

namespace tessera::docking {

namespace {

/// The points for RMSDs: the ligand's C-alphas and C1', or all its atoms if it has none of them.
std::vector<Vec3> ligand_points(const io::Structure& ligand, Vec3 center) {
    std::vector<Vec3> points, all;
    for (const io::AtomRecord& atom : ligand.atoms) {
        if (atom.hetero) continue;
        all.push_back(atom.position - center);
        if (io::is_trace(atom)) points.push_back(atom.position - center);
    }
    return points.empty() ? all : points;
}

double weighted_terms(const RescoringWeights& weights, const Candidate& candidate,
                      const kernels::RefinedPose& refined) {
    double score = 0;
    for (int k = 0; k < kernels::refine_term_count; ++k)
        score += weights.refined[k] * refined.terms[k];
    for (int k = 0; k < term_count; ++k) score += weights.searched[k] * candidate.terms[k];
    return score;
}

template <class Distance>
typename Distance::Place place_of(const Distance& distance, const ConsensusPose& pose) {
    if constexpr (std::is_same_v<Distance, AssemblyDistance>)
        return distance(pose.pose, pose.opposite.value());
    else
        return distance(pose.pose);
}

/// Counts for each pose how many others lie within the radius.
template <class Distance>
void count_neighbors(std::vector<ConsensusPose>& poses, const Distance& distance, double radius) {
    std::vector<typename Distance::Place> places;
    places.reserve(poses.size());
    for (const ConsensusPose& pose : poses) places.push_back(place_of(distance, pose));
#pragma omp parallel for schedule(dynamic, 16)
    for (std::size_t a = 0; a < poses.size(); ++a) {
        std::int64_t count = -1;  // itself
        for (const auto& other : places)
            if (mean_square(places[a], other) < radius * radius) ++count;
        poses[a].neighbors = count;
    }
}

/// Drops each pose that lies within the radius of a better pose that is kept. The first such pose
/// stands for it and takes over its share of exp(-score).
template <class Distance>
std::vector<ConsensusPose> without_duplicates(const std::vector<ConsensusPose>& poses,
                                              const Distance& distance, double radius) {
    using Place = typename Distance::Place;
    std::vector<ConsensusPose> kept;
    std::vector<Place> places;
    std::vector<double> shares;  // sums of exp(-score), relative to the kept pose
    for (const ConsensusPose& pose : poses) {
        const auto place = place_of(distance, pose);
        const auto near = [&](const Place& other) {
            return mean_square(place, other) < radius * radius;
        };
        const auto owner = std::find_if(places.begin(), places.end(), near) - places.begin();
        if (owner == std::ssize(places)) {
            kept.push_back(pose);
            places.push_back(place);
            shares.push_back(0);
        }
        shares[owner] += std::exp(kept[owner].pose_score - pose.pose_score);
    }
    for (std::size_t i = 0; i < kept.size(); ++i)
        kept[i].score = kept[i].pose_score - std::log(shares[i]);
    std::sort(kept.begin(), kept.end(), comes_before);
    return kept;
}

/// The best pose leads a cluster of all poses within the radius, then the best pose that is left,
/// and so on.
template <class Distance>
std::vector<Cluster> led_clusters(const std::vector<ConsensusPose>& poses, const Distance& distance,
                                  const ClusteringOptions& options) {
    std::vector<typename Distance::Place> places;
    places.reserve(poses.size());
    for (const ConsensusPose& pose : poses) places.push_back(place_of(distance, pose));
    std::vector<bool> assigned(poses.size(), false);
    std::vector<Cluster> clusters;
    for (std::size_t a = 0; a < poses.size() && clusters.size() < options.clusters; ++a) {
        if (assigned[a]) continue;
        Cluster cluster{a, {}};
        for (std::size_t b = a; b < poses.size(); ++b) {
            if (assigned[b] ||
                (b > a && mean_square(places[a], places[b]) >= options.radius * options.radius))
                continue;
            assigned[b] = true;
            cluster.members.push_back(b);
        }
        clusters.push_back(std::move(cluster));
    }
    return clusters;
}

/// Calls f with the distance of two poses, of two rings or of two assemblies.
template <class Function>
void with_distance(const DockedLigand& ligand, const Function& f) {
    const std::vector<Vec3> points = ligand_points(ligand.structure, ligand.center);
    if (ligand.dihedral)
        f(AssemblyDistance(points, ligand.ring));
    else if (ligand.ring.is_set())
        f(RingDistance(points, ligand.ring));
    else
        f(RigidDistance(points));
}

}  // namespace

bool comes_before(const ConsensusPose& a, const ConsensusPose& b) {
    if (a.score != b.score) return a.score < b.score;
    if (a.origin.set != b.origin.set) return a.origin.set < b.origin.set;
    if (a.origin.place != b.origin.place) return a.origin.place < b.origin.place;
    return a.origin.pair < b.origin.pair;
}

std::vector<Candidate> collect_candidates(const std::vector<PoseList>& lists,
                                          const std::vector<Quaternion>& rotations,
                                          std::int64_t per_set, bool every_set) {
    // A pose that is in several lists counts in the list where it stands highest.
    std::vector<Candidate> all;
    std::vector<std::array<std::int64_t, 4>> order;  // rotation, voxel, place, set
    const auto has_pair_term = [](const PoseList& list) { return list.set.weights[3] != 0; };
    const bool some_have = !every_set && std::any_of(lists.begin(), lists.end(), has_pair_term);
    for (std::size_t s = 0; s < lists.size(); ++s) {
        if (some_have && !has_pair_term(lists[s])) continue;
        const auto& poses = lists[s].poses;
        const auto count = std::min(poses.size(), static_cast<std::size_t>(per_set));
        for (std::size_t i = 0; i < count; ++i)
            order.push_back({poses[i].rotation, poses[i].voxel, static_cast<std::int64_t>(i),
                             static_cast<std::int64_t>(s)});
    }
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i > 0 && order[i][0] == order[i - 1][0] && order[i][1] == order[i - 1][1]) continue;
        const Pose& pose = lists[order[i][3]].poses[order[i][2]];
        all.push_back({{rotations.at(pose.rotation), pose.translation},
                       order[i][3],
                       order[i][2],
                       pose.terms});
    }
    std::sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
        return a.set != b.set ? a.set < b.set : a.place < b.place;
    });
    return all;
}

std::vector<kernels::RigidPose> starts_of(const std::vector<Candidate>& candidates) {
    std::vector<kernels::RigidPose> starts;
    starts.reserve(candidates.size());
    for (const Candidate& candidate : candidates) starts.push_back(candidate.start);
    return starts;
}

Consensus make_consensus(const RefinedCandidates& poses, const RescoringWeights& weights,
                         const DockedLigand& ligand, const ConsensusOptions& options,
                         const ClusteringOptions& clustering) {
    const auto& [candidates, refined, contact_energies, restraints, statistical_energies,
                 cdr_shares, opposites] = poses;
    std::vector<ConsensusPose> all;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        double score = weighted_terms(weights, candidates[i], refined[i]) + contact_energies[i];
        const RestraintScore restrained = restraints.empty() ? RestraintScore{} : restraints[i];
        if (!restraints.empty()) score += restrained.energy;
        const double statistical = statistical_energies.empty() ? 0 : statistical_energies[i];
        if (!statistical_energies.empty()) score += statistical;
        const double share = cdr_shares.empty() ? 0 : cdr_shares[i];
        if (!cdr_shares.empty()) score += weights.cdr_share * share;
        all.push_back({score, score, refined[i].pose, candidates[i], refined[i].terms,
                       contact_energies[i], restrained.energy, statistical, share,
                       restrained.satisfied});
        if (!opposites.empty()) all.back().opposite = opposites[i];
    }
    Consensus consensus;
    consensus.weights = weights;
    with_distance(ligand, [&](const auto& distance) {
        count_neighbors(all, distance, neighbor_radius);
        std::sort(all.begin(), all.end(), comes_before);
        consensus.poses = without_duplicates(all, distance, options.duplicate_radius);
        consensus.clusters = led_clusters(consensus.poses, distance, clustering);
    });
    return consensus;
}

void cluster_again(Consensus& consensus, const DockedLigand& ligand,
                   const ClusteringOptions& clustering) {
    with_distance(ligand, [&](const auto& distance) {
        consensus.clusters = led_clusters(consensus.poses, distance, clustering);
    });
}

}  // namespace tessera::docking
