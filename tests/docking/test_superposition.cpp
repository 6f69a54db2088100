#include "docking/evaluation/superposition.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "docking/plain_rmsd.hpp"

namespace {

using tessera::Quaternion;
using tessera::Vec3;

TEST(Superposition, RecoversARigidMotionAndNeverReflects) {
    std::mt19937 generator(3);
    std::normal_distribution<double> normal;
    std::vector<Vec3> fixed, moving, mirrored;
    const Quaternion q{0.1, -0.7, 0.5, 0.5};
    for (int i = 0; i < 20; ++i) {
        const Vec3 p{10 * normal(generator), 10 * normal(generator), 10 * normal(generator)};
        moving.push_back(p);
        fixed.push_back(q.matrix() * p + Vec3{5, 6, 7});
        mirrored.push_back({-p.x, p.y, p.z});
    }
    const auto motion = tessera::docking::superpose(moving, fixed);
    for (std::size_t i = 0; i < moving.size(); ++i)
        EXPECT_NEAR(norm(motion(moving[i]) - fixed[i]), 0, 1e-12);
    EXPECT_NEAR(tessera::docking::superposed_rmsd(moving, fixed), 0, 1e-6);

    // A mirror image cannot be reached; the best proper motion is what no small change improves.
    const auto best = tessera::docking::superpose(moving, mirrored);
    const auto rmsd_after = [&](const Quaternion& change) {
        std::vector<Vec3> moved;
        for (const Vec3& p : moving) moved.push_back(change.matrix() * best(p));
        Vec3 offset;
        for (std::size_t i = 0; i < moved.size(); ++i) offset = offset + (mirrored[i] - moved[i]);
        for (Vec3& p : moved) p = p + (1.0 / 20) * offset;
        return tessera::docking::plain_rmsd(moved, mirrored);
    };
    const double least = rmsd_after({1, 0, 0, 0});
    EXPECT_GT(least, 1);
    EXPECT_NEAR(tessera::docking::superposed_rmsd(moving, mirrored), least, 1e-9);
    for (int i = 0; i < 200; ++i) {
        const double size = i % 2 ? 0.01 : 1.0;
        Quaternion change{1, size * normal(generator), size * normal(generator),
                          size * normal(generator)};
        const double length = change.length();
        change = {change.w / length, change.x / length, change.y / length, change.z / length};
        EXPECT_GE(rmsd_after(change), least - 1e-9);
    }
}

TEST(Superposition, MomentsGiveTheMeanSquareOfAnyMotion) {
    std::mt19937 generator(4);
    std::normal_distribution<double> normal;
    tessera::docking::PointPairs pairs;
    const auto point = [&] {
        return Vec3{40 + 20 * normal(generator), 20 * normal(generator), -20 * normal(generator)};
    };
    for (int i = 0; i < 50; ++i) pairs.add(point(), point());
    const tessera::docking::RigidMotion motion{Quaternion{0.1, -0.7, 0.5, 0.5}.matrix(), {5, 6, 7}};
    std::vector<Vec3> moved;
    for (const Vec3& p : pairs.model) moved.push_back(motion(p));
    const double rmsd = tessera::docking::plain_rmsd(moved, pairs.reference);
    EXPECT_NEAR(mean_square(tessera::docking::moments_of(pairs), motion), rmsd * rmsd, 1e-8);
}

}  // namespace
