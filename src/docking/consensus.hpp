// One answer out of all coefficient sets: their best poses, refined, rescored, thinned out and clustered
// (docs/docking-refinement.md).
#pragma once

#include <cstdint>
#include <vector>

#include "docking/clustering.hpp"
#include "docking/evaluation.hpp"
#include "docking/refinement.hpp"
#include "docking/rescoring.hpp"

namespace tessera::docking {

/// A pose of the search that goes into the second stage.
struct Candidate {
    kernels::RigidPose start;
    std::int64_t set = 0;   ///< the list in which it ranks best, the first of several
    std::int64_t rank = 0;  ///< its place there, from 0
    std::array<double, term_count> terms{};  ///< the search's own
};

struct ConsensusPose {
    double score = 0;  ///< lower is better
    kernels::RigidPose pose;
    Candidate origin;
    std::array<double, kernels::refine_term_count> terms{};
    std::int64_t neighbors = 0;  ///< refined poses nearby, before duplicates are dropped
};

struct Consensus {
    std::vector<ConsensusPose> poses;  ///< ascending by score, none near a better one
    std::vector<Cluster> clusters;     ///< best first
    std::vector<PoseQuality> quality;  ///< empty without a reference
};

struct ConsensusOptions {
    std::int64_t refine = 4000;   ///< best poses of each set that are refined; 0: no second stage
    double duplicate_radius = 5;  ///< Angstrom: C-alpha RMSD below which a worse pose is dropped
};

/// The first `per_set` poses of every list, each once, in the order of the lists and their ranks. Lists
/// of sets without the pair term stay out where others have it: the weights were trained without such.
std::vector<Candidate> collect_candidates(const std::vector<PoseList>& lists,
                                          const std::vector<Quaternion>& rotations,
                                          std::int64_t per_set);

/// Where the refinement of candidates starts.
std::vector<kernels::RigidPose> starts_of(const std::vector<Candidate>& candidates);

/// Scores the refined candidates (in the same order), drops near-duplicates and clusters the rest: the
/// best pose leads a cluster of all within the clustering's radius (C-alpha RMSD), then the best left.
Consensus make_consensus(const std::vector<Candidate>& candidates,
                         const std::vector<kernels::RefinedPose>& refined, Vec3 ligand_center,
                         const io::Structure& ligand, const ConsensusOptions& options,
                         const ClusteringOptions& clustering);

}  // namespace tessera::docking
