#include "docking/search/restraint_filter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "kokkos_kernels/docking/ring_pose.hpp"
#include "restrained_partners.hpp"

namespace tessera::docking {
namespace {

using kernels::PoseRecord;

RotationSet rotations() {
    RotationSet set;
    set.bases = {{1, 0, 0, 0}, {0.5, 0.5, -0.5, 0.5}, {0.6, 0, 0.8, 0}};
    for (const SignedPermutation& g : octahedral_group()) set.group.push_back(g);
    return set;
}

const DockingFrame frame{
    .receptor_center = {5, -3, 2}, .ligand_center = {1, 2, 3}, .spacing = 1.5, .n = 16};

std::vector<PoseRecord> random_records(std::size_t count) {
    std::mt19937 random(4);
    std::vector<PoseRecord> records;
    for (std::size_t i = 0; i < count; ++i)
        records.push_back({static_cast<float>(i), static_cast<std::uint32_t>(random() % 72),
                           static_cast<std::uint32_t>(random() % (16 * 16 * 16)),
                           static_cast<std::uint32_t>(random() % 4)});
    return records;
}

TEST(RestraintFilter, KeepsThePosesThatABruteForceKeeps) {
    const testing::TwoPartners partners;
    const auto restraints = testing::restraints_from(
        "receptor,ligand,upper\nchain A and resid 2 and name CA,resid 12 and name CB,9\n",
        "in.csv");
    const RotationSet set = rotations();
    const auto records = random_records(3000);
    auto kept = records;
    RestraintFilter(restraints, set, frame).keep_satisfying(kept);
    std::vector<float> expected, found;
    for (const PoseRecord& record : records) {
        const auto t = kernels::wrapped_translation(record.voxel, 16);
        const Vec3 shift{5 + 1.5 * t[0], -3 + 1.5 * t[1], 2 + 1.5 * t[2]};
        const Vec3 ligand = Vec3{3.8 + 0.1, -1, 20 - 1.1} - frame.ligand_center;
        const Vec3 at = set[record.rotation].matrix() * ligand + shift;
        if (norm(at - Vec3{3.8, 0, 0}) <= 9 + 2) expected.push_back(record.score);
    }
    for (const PoseRecord& record : kept) found.push_back(record.score);
    EXPECT_EQ(found, expected);
    EXPECT_GT(expected.size(), 100U);
    EXPECT_LT(expected.size(), 2900U);
}

/// A point of copy k of a ring whose next copy is at x -> R (x - c) + t, with c the centre.
Vec3 in_copy(int k, Vec3 point, const kernels::RigidPose& next, Vec3 center) {
    const Matrix3 turn = next.rotation.matrix();
    for (; k > 0; --k) point = turn * (point - center) + next.translation;
    return point;
}

TEST(RestraintFilter, ARestraintOfARingHoldsBetweenAnyTwoNeighbours) {
    const testing::TwoPartners partners;
    const Vec3 center{6, 3, -1};
    const std::string text = "receptor,ligand,upper\nchain A and resid 2 and name CA,"
                             "chain H and resid 3 and name CB,9\n";
    std::vector<std::string> ignored;
    DistanceRestraints restraints =
        find_restraint_atoms({parse_restraint_file({"in.csv", text})},
                             {partners.receptor, partners.receptor, center}, {}, ignored);
    exchange_copies(restraints, center);
    const Vec3 first{3.8, 0, 0}, second = Vec3{3.8 * 4, 10, 0} + Vec3{0.1, -1, -1.1};
    const kernels::Ring ring{3, center};
    std::mt19937 random(8);
    std::uniform_real_distribution<double> any(-1, 1);
    int forward = 0, backward = 0, none = 0;
    for (int i = 0; i < 2000; ++i) {
        const auto next =
            kernels::closed({{0.5, any(random), any(random), any(random)},
                             center + 14.0 * Vec3{any(random), any(random), any(random)}},
                            ring);
        const auto distance = [&](Vec3 a, Vec3 b, int copy) {
            return norm(in_copy(copy, a, next, center) - in_copy((copy + 1) % 3, b, next, center));
        };
        const auto near = [&](Vec3 a, Vec3 b, int copy) { return distance(a, b, copy) <= 9 + 2; };
        bool is_near = false;
        for (int copy = 0; copy < 3; ++copy)
            is_near |= near(first, second, copy) || near(second, first, copy);
        EXPECT_EQ(restraints.are_satisfied(next), is_near);
        EXPECT_EQ(restraints.count(next).satisfied, is_near ? 1 : 0);
        const double nearest = std::min(distance(first, second, 0), distance(second, first, 0));
        EXPECT_NEAR(restraints.count(next).closeness, std::log(9 / std::clamp(nearest, 8.0, 9.0)),
                    1e-9);
        (near(first, second, 0) ? forward : is_near ? backward : none) += 1;
    }
    EXPECT_GT(std::min({forward, backward, none}), 50);
}

TEST(RestraintFilter, PosesOfARingAreMeasuredWhereItCloses) {
    const testing::TwoPartners partners;
    const auto restraints = testing::restraints_from(
        "receptor,ligand,upper\nchain A and resid 2 and name CA,resid 12 and name CB,9\n",
        "in.csv");
    const kernels::Ring ring{2, {4, -3, 2}};
    RotationSet set;
    set.bases = {{0, 0, 0, 1}};
    set.group = {SignedPermutation{}};
    auto kept = random_records(3000);
    for (PoseRecord& record : kept) record.rotation = 0;
    std::vector<float> expected, found;
    for (const PoseRecord& record : kept) {
        const auto t = kernels::wrapped_translation(record.voxel, 16);
        const Vec3 shift{5 + 1.5 * t[0], -3 + 1.5 * t[1], 2};  // no step along the axis z
        const Vec3 ligand = Vec3{3.8 + 0.1, -1, 20 - 1.1} - frame.ligand_center;
        const Vec3 at = Vec3{-ligand.x, -ligand.y, ligand.z} + shift;
        if (norm(at - Vec3{3.8, 0, 0}) <= 9 + 2) expected.push_back(record.score);
    }
    RestraintFilter(restraints, set, frame, ring).keep_satisfying(kept);
    for (const PoseRecord& record : kept) found.push_back(record.score);
    EXPECT_EQ(found, expected);
}

TEST(RestraintFilter, NothingIsDroppedWithoutRestraints) {
    const DistanceRestraints none;
    const RotationSet set = rotations();
    auto kept = random_records(100);
    RestraintFilter(none, set, frame).keep_satisfying(kept);
    EXPECT_EQ(kept.size(), 100U);
}

}  // namespace
}  // namespace tessera::docking
