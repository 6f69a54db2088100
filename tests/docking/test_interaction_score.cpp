#include "docking/screen/interaction_score.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tessera::docking {
namespace {

std::vector<Pose> poses_with(const std::vector<double>& scores) {
    std::vector<Pose> poses(scores.size());
    for (std::size_t i = 0; i < scores.size(); ++i) poses[i].score = scores[i];
    return poses;
}

TEST(InteractionScore, MeasuresTheBestPoseInDeviations) {
    // Mean -4, mean squared distance (36 + 4 + 0 + 4 + 36) / 5 = 16.
    const auto score = interaction_score(poses_with({-10, -6, -4, -2, 2}), {});
    EXPECT_EQ(score.poses, 5);
    EXPECT_EQ(score.best, -10);
    EXPECT_DOUBLE_EQ(score.mean, -4);
    EXPECT_DOUBLE_EQ(score.deviation, 4);
    EXPECT_DOUBLE_EQ(score.best_z, 1.5);
    EXPECT_DOUBLE_EQ(score.cluster_z, 1.5) << "without clusters, the best pose stands alone";
    EXPECT_EQ(score.cluster_size, 0U);
}

TEST(InteractionScore, TakesTheClusterWithTheLowestMeanOfItsBestPoses) {
    const auto poses = poses_with({-10, -6, -4, -2, 2});
    // The means of the three clusters are -3, -6 and 2.
    const std::vector<Cluster> clusters{{2, {2, 3}}, {0, {0, 3}}, {4, {4}}};
    const auto score = interaction_score(poses, clusters);
    EXPECT_DOUBLE_EQ(score.cluster_z, (-4 + 6) / 4.0);
    EXPECT_EQ(score.cluster_size, 2U);
    const std::vector<Cluster> large{{0, {0, 1, 2, 3, 4}}};  // the fifth does not count
    EXPECT_DOUBLE_EQ(interaction_score(poses, large).cluster_z, (-4 + 22 / 4.0) / 4.0);
    EXPECT_EQ(interaction_score(poses, large).cluster_size, 5U);
}

TEST(InteractionScore, IsZeroWhereAllPosesAreAlike) {
    const auto score = interaction_score(poses_with({-3, -3, -3}), {{0, {0, 1, 2}}});
    EXPECT_EQ(score.deviation, 0);
    EXPECT_EQ(score.best_z, 0);
    EXPECT_EQ(score.cluster_z, 0);
    EXPECT_EQ(interaction_score(poses_with({-7}), {}).best_z, 0);
}

}  // namespace
}  // namespace tessera::docking
