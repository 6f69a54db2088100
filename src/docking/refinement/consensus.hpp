// The consensus of all coefficient sets: the best poses of all sets, refined, rescored, without
// duplicates and clustered (docs/method/docking-refinement.md).
#pragma once

#include <cstdint>
#include <optional>
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
    std::int64_t set = 0;    ///< the list in which it stands highest; the first of several
    std::int64_t place = 0;  ///< its position in that list, from 0 (dataset `rank` of the file)
    std::array<double, term_count> terms{};  ///< energy terms of the search
    std::int64_t pair = 0;                   ///< of conformers (Pose::pair)
};

/// What a repacking of its side chains has changed in a pose (docs/method/docking-repacking.md).
struct RepackedChange {
    double score = 0;    ///< of its pose score
    double energy = 0;   ///< of the local energy of its side chains, nats; not positive
    double binding = 0;  ///< local energy of the packed pose less that of the partners apart
    std::int64_t side_chains = 0;  ///< that are no longer as in the files
};

struct ConsensusPose {
    double score = 0;       ///< of the pose and the duplicates that it stands for; lower is better
    double pose_score = 0;  ///< of this pose alone
    kernels::RigidPose pose;
    Candidate origin;
    std::array<double, kernels::refine_term_count> terms{};
    double contact_energy = 0;      ///< part of pose_score
    double restraint_energy = 0;    ///< part of pose_score; 0 without distance restraints
    double statistical_energy = 0;  ///< part of pose_score; 0 if its weights are
    double cdr_share = 0;           ///< cdr_share() of the pose; 0 if its weight is
    std::int64_t satisfied = 0;     ///< number of distance restraints that it satisfies
    std::int64_t neighbors = 0;     ///< refined poses nearby, counted before duplicates are dropped
    std::optional<kernels::RigidPose> opposite = {};  ///< of a dihedral assembly (Assembly)
    std::optional<RepackedChange> repacked = {};      ///< part of `score`, not of pose_score
};

struct Consensus {
    RescoringWeights weights;          ///< weights of the scores
    std::vector<ConsensusPose> poses;  ///< ascending by score, without duplicates
    std::vector<Cluster> clusters;     ///< best first
    std::vector<PoseQuality> quality;  ///< empty without a reference
    /// Median weighted change by repacking (RescoringWeights::repacked). The score of a repacked
    /// pose has changed by the difference from it.
    double repack_median = 0;
};

struct ConsensusOptions {
    std::int64_t refine = 10000;  ///< number of best poses to refine in each set; 0: none
    double duplicate_radius = 5;  ///< Angstrom: a pose is dropped below this C-alpha RMSD
    std::string rescoring;        ///< file of weights; empty: the built-in weights
    std::int64_t repack = 0;      ///< number of best poses whose side chains are repacked
};

/// The first `per_set` poses of every list, each pose once, in the order of the lists. If some sets
/// have the pair term, the lists of sets without it are left out, unless `every_set`: the weights
/// for proteins were trained without them, and those for nucleic acids with them.
std::vector<Candidate> collect_candidates(const std::vector<PoseList>& lists,
                                          const std::vector<Quaternion>& rotations,
                                          std::int64_t per_set, bool every_set = false);

/// The start poses of the refinement.
std::vector<kernels::RigidPose> starts_of(const std::vector<Candidate>& candidates);

/// C-alpha RMSD (Angstrom) within which a refined pose is a neighbour.
inline constexpr double neighbor_radius = 5;

/// What the distance restraints say about a refined pose.
struct RestraintScore {
    std::int64_t satisfied = 0;
    double energy = 0;  ///< is added to the score of the pose
};

/// Candidates after their refinement. All have the same order.
struct RefinedCandidates {
    const std::vector<Candidate>& candidates;
    const std::vector<kernels::RefinedPose>& refined;
    const std::vector<double>& contact_energies;
    std::vector<RestraintScore> restraints = {};     ///< empty if there are none
    std::vector<double> statistical_energies = {};   ///< empty if all weights of these are 0
    std::vector<double> cdr_shares = {};             ///< empty if their weight is 0
    std::vector<kernels::RigidPose> opposites = {};  ///< of dihedral assemblies; otherwise empty
};

/// The ligand of a docking, whose poses are compared.
struct DockedLigand {
    const io::Structure& structure;
    Vec3 center;              ///< of its rotations, Angstrom
    kernels::Ring ring = {};  ///< if it is set, poses stand for rings, and rings are compared
    bool dihedral = false;    ///< poses stand for dihedral assemblies, which are compared
};

/// Scores the refined candidates. A pose near a better pose is dropped, and the better pose stands
/// for it. The list is sorted by score = -ln Σ exp(-pose_score) over a pose and the poses that it
/// stands for. The best pose leads a cluster of all poses within the clustering's radius (C-alpha
/// RMSD), then the best pose that is left.
Consensus make_consensus(const RefinedCandidates& poses, const RescoringWeights& weights,
                         const DockedLigand& ligand, const ConsensusOptions& options,
                         const ClusteringOptions& clustering);

/// Whether a pose of a consensus comes before another one.
bool comes_before(const ConsensusPose& a, const ConsensusPose& b);

/// Makes new clusters as make_consensus() does. Scores and order stay the same.
void cluster_again(Consensus& consensus, const DockedLigand& ligand,
                   const ClusteringOptions& clustering);

}  // namespace tessera::docking
