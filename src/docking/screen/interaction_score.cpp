#include "docking/screen/interaction_score.hpp"

#include <algorithm>
#include <cmath>

#include "core/compensated_sum.hpp"

namespace tessera::docking {

namespace {

/// The mean score of the best poses of a cluster. Members are in the order of the list.
double mean_of_best(const std::vector<Pose>& poses, const Cluster& cluster) {
    const std::size_t count = std::min(poses_of_cluster, cluster.members.size());
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += poses[cluster.members[i]].score;
    return sum / static_cast<double>(count);
}

}  // namespace

InteractionScore interaction_score(const std::vector<Pose>& poses,
                                   const std::vector<Cluster>& clusters) {
    InteractionScore score;
    score.poses = std::ssize(poses);
    score.best = poses.front().score;
    const auto count = static_cast<double>(poses.size());
    CompensatedSum<double> sum, squares;
    for (const Pose& pose : poses) sum.add(pose.score);
    score.mean = sum.result() / count;
    for (const Pose& pose : poses) squares.add(std::pow(pose.score - score.mean, 2));
    score.deviation = std::sqrt(squares.result() / count);
    if (score.deviation == 0) return score;
    const auto z = [&](double energy) { return (score.mean - energy) / score.deviation; };
    score.best_z = z(score.best);
    score.cluster_z = score.best_z;  // without clusters, the best pose stands alone
    for (const Cluster& cluster : clusters) {
        const double of_cluster = z(mean_of_best(poses, cluster));
        if (score.cluster_size > 0 && of_cluster <= score.cluster_z) continue;
        score.cluster_z = of_cluster;
        score.cluster_size = cluster.members.size();
    }
    return score;
}

}  // namespace tessera::docking
