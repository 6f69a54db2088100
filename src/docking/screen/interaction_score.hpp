// How strongly the poses of a pair speak for an interaction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "docking/evaluation/clustering.hpp"
#include "docking/model/pose.hpp"

namespace tessera::docking {

/// The best pose of a pair, and how far it stands out from the other poses of the pair. The score
/// best_z is the decision value of MEGADOCK (Ohue et al., Protein Pept. Lett. 21, 766, 2014), with
/// the sign turned because lower scores are better here: (mean - best) / deviation.
struct InteractionScore {
    std::int64_t poses = 0;
    double best = 0, mean = 0;
    double deviation = 0;  ///< square root of the mean squared distance from the mean
    double best_z = 0;     ///< 0 if all poses have the same score
    /// The same for a group of poses instead of one: the lowest mean score of the best
    /// `poses_of_cluster` poses of a cluster.
    double cluster_z = 0;
    std::size_t cluster_size = 0;  ///< members of that cluster; 0: there is no cluster
};

/// Poses of a cluster that are averaged. A cluster with fewer members counts with those that it
/// has.
inline constexpr std::size_t poses_of_cluster = 4;

/// The poses are those of one coefficient set, the best first. There must be at least one.
InteractionScore interaction_score(const std::vector<Pose>& poses,
                                   const std::vector<Cluster>& clusters);

}  // namespace tessera::docking
