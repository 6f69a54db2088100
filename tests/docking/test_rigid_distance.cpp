#include <gtest/gtest.h>

#include <random>

#include "docking/evaluation/rigid_distance.hpp"
#include "docking/plain_rmsd.hpp"

namespace tessera::docking {
namespace {

TEST(RigidDistance, IsTheRmsdOfThePlacedPoints) {
    std::mt19937 random(4);
    std::normal_distribution<double> normal;
    std::vector<Vec3> points;
    for (int i = 0; i < 50; ++i)
        points.push_back({3 + 9 * normal(random), 5 * normal(random), 2 * normal(random)});
    const RigidDistance distance(points);
    const auto random_pose = [&] {
        const Quaternion q{normal(random), normal(random), normal(random), normal(random)};
        const double l = q.length();
        return kernels::RigidPose{{q.w / l, q.x / l, q.y / l, q.z / l},
                                  {8 * normal(random), 8 * normal(random), normal(random)}};
    };
    for (int i = 0; i < 20; ++i) {
        const auto a = random_pose(), b = random_pose();
        std::vector<Vec3> first, second;
        for (const Vec3& p : points) {
            first.push_back(a.rotation.matrix() * p + a.translation);
            second.push_back(b.rotation.matrix() * p + b.translation);
        }
        const double expected = plain_rmsd(first, second);
        EXPECT_NEAR(mean_square(distance(a), distance(b)), expected * expected,
                    1e-9 * expected * expected);
        EXPECT_NEAR(mean_square(distance(a), distance(a)), 0, 1e-10);
    }
}

}  // namespace
}  // namespace tessera::docking
