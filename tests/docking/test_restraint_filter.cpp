#include "docking/search/restraint_filter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

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

TEST(RestraintFilter, NothingIsDroppedWithoutRestraints) {
    const DistanceRestraints none;
    const RotationSet set = rotations();
    auto kept = random_records(100);
    RestraintFilter(none, set, frame).keep_satisfying(kept);
    EXPECT_EQ(kept.size(), 100U);
}

}  // namespace
}  // namespace tessera::docking
