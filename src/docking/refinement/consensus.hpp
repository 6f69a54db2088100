// One answer out of all coefficient sets: their best poses, refined, rescored, thinned out and clustered
// (docs/method/docking-refinement.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "docking/evaluation/clustering.hpp"
#include "docking/evaluation/evaluation.hpp"
#include "docking/refinement/refinement.hpp"
#include "docking/refinement/rescoring.hpp"

namespace tessera::docking {

/// A pose of the search that goes into the second stage.
struct Candidate {
    kernels::RigidPose start;
    std::int64_t set = 0;   ///< the list in which it ranks best, the first of several
    std::int64_t rank = 0;  ///< its place there, from 0
    std::array<double, term_count> terms{};  ///< the search's own
};

struct ConsensusPose {
    double score = 0;       ///< with the near-duplicates that it stands for; lower is better
    double pose_score = 0;  ///< of this pose alone
    kernels::RigidPose pose;
    Candidate origin;
    std::array<double, kernels::refine_term_count> terms{};
    double contact_energy = 0;   ///< part of pose_score
    std::int64_t neighbors = 0;  ///< refined poses nearby, before duplicates are dropped
};

struct Consensus {
    RescoringWeights weights;          ///< that made the scores
    std::vector<ConsensusPose> poses;  ///< ascending by score, none near a better one
    std::vector<Cluster> clusters;     ///< best first
    std::vector<PoseQuality> quality;  ///< empty without a reference
};

struct ConsensusOptions {
    std::int64_t refine = 10000;  ///< best poses of each set that are refined; 0: no second stage
    double duplicate_radius = 5;  ///< Angstrom: C-alpha RMSD below which a worse pose is dropped
    std::string rescoring;        ///< file of weights; empty: those that come with the program
};

/// The first `per_set` poses of every list, each once, in the order of the lists and their ranks. Lists
/// of sets without the pair term stay out where others have it: the weights were trained without such.
std::vector<Candidate> collect_candidates(const std::vector<PoseList>& lists,
                                          const std::vector<Quaternion>& rotations,
                                          std::int64_t per_set);

/// Where the refinement of candidates starts.
std::vector<kernels::RigidPose> starts_of(const std::vector<Candidate>& candidates);

/// C-alpha RMSD (Angstrom) within which a refined pose is a neighbour.
inline constexpr double neighbor_radius = 5;

/// Scores the refined candidates (in the same order; `contact_energies` likewise). From the best on, a
/// pose near a better one is dropped and the better one stands for it: score = -ln Σ exp(-pose_score)
/// over the pose and those dropped, the order of the list. The best leads a cluster of all within the
/// clustering's radius (C-alpha RMSD), then the best left.
Consensus make_consensus(const std::vector<Candidate>& candidates,
                         const std::vector<kernels::RefinedPose>& refined,
                         const std::vector<double>& contact_energies,
                         const RescoringWeights& weights, Vec3 ligand_center,
                         const io::Structure& ligand, const ConsensusOptions& options,
                         const ClusteringOptions& clustering);

/// Makes the clusters anew, as make_consensus() does; scores and order stay.
void cluster_again(Consensus& consensus, Vec3 ligand_center, const io::Structure& ligand,
                   const ClusteringOptions& clustering);

}  // namespace tessera::docking
