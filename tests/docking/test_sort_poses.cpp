#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "docking/search/sort_poses.hpp"

namespace tessera::docking {
namespace {

using kernels::PoseRecord;

/// Sums that know the terms: repulsion is the record's score, the rest nothing.
class KnownTerms : public kernels::TermSums {
  public:
    std::vector<std::array<double, kernels::max_terms>>
    terms(std::span<const PoseRecord> poses, std::span<const Quaternion> bases) override {
        EXPECT_EQ(poses.size(), bases.size());
        std::vector<std::array<double, kernels::max_terms>> terms;
        for (std::size_t i = 0; i < poses.size(); ++i) {
            // The base handed over must be that of the record's rotation.
            EXPECT_EQ(bases[i].x, poses[i].rotation / 24);
            terms.push_back({poses[i].score, 0, 0, 0});
        }
        return terms;
    }
};

RotationSet rotations(int bases) {
    RotationSet set;
    for (int b = 0; b < bases; ++b) set.bases.push_back({0, static_cast<double>(b), 0, 0});
    for (const SignedPermutation& g : octahedral_group()) set.group.push_back(g);
    return set;
}

const DockingFrame frame{
    .receptor_center = {10, 20, 30}, .ligand_center = {}, .spacing = 0.5, .n = 8};
const std::vector<CoefficientSet> sets{{"a", {1, 0, 0, 0}}, {"b", {2, 0, 0, 0}}};

/// Few distinct scores, so that most of the order is decided by the tie rules.
std::vector<PoseRecord> tied_records(std::size_t count) {
    std::mt19937 random(9);
    std::vector<PoseRecord> records;
    for (std::uint32_t i = 0; i < count; ++i)
        records.push_back({static_cast<float>(random() % 3),
                           static_cast<std::uint32_t>(random() % 96), i % 512,
                           static_cast<std::uint32_t>(random() % 2)});
    return records;
}

std::vector<TilePartial<PoseRecord>> as_tiles(const std::vector<PoseRecord>& records,
                                              std::size_t per_tile) {
    std::vector<TilePartial<PoseRecord>> tiles;
    for (std::size_t begin = 0; begin < records.size(); begin += per_tile) {
        const auto end = std::min(records.size(), begin + per_tile);
        tiles.push_back({TileId{static_cast<std::int64_t>(tiles.size())},
                         {records.begin() + static_cast<std::ptrdiff_t>(begin),
                          records.begin() + static_cast<std::ptrdiff_t>(end)}});
    }
    return tiles;
}

TEST(SortPoses, KeepsTheBestInATotalOrder) {
    const auto records = tied_records(400);
    KnownTerms search;
    const auto lists = sort_poses(as_tiles(records, 37), sets, 50, rotations(4), frame, search);
    ASSERT_EQ(lists.size(), 2U);
    for (std::uint32_t s = 0; s < 2; ++s) {
        std::vector<std::array<double, 3>> all;
        for (const PoseRecord& r : records)
            if (r.set == s) all.push_back({r.score, 1.0 * r.rotation, 1.0 * r.voxel});
        std::sort(all.begin(), all.end());
        EXPECT_EQ(lists[s].set.name, sets[s].name);
        ASSERT_EQ(lists[s].poses.size(), 50U);
        for (std::size_t i = 0; i < 50; ++i) {
            const Pose& pose = lists[s].poses[i];
            EXPECT_EQ((std::array<double, 3>{pose.score / (s + 1), 1.0 * pose.rotation,
                                             1.0 * pose.voxel}),
                      all[i]);
        }
    }
}

TEST(SortPoses, DoesNotDependOnTheOrderOfWork) {
    auto records = tied_records(300);
    KnownTerms search;
    const auto before = sort_poses(as_tiles(records, 300), sets, 40, rotations(4), frame, search);
    std::shuffle(records.begin(), records.end(), std::mt19937(4));
    const auto after = sort_poses(as_tiles(records, 11), sets, 40, rotations(4), frame, search);
    for (std::size_t s = 0; s < 2; ++s)
        for (std::size_t i = 0; i < 40; ++i) {
            EXPECT_EQ(before[s].poses[i].rotation, after[s].poses[i].rotation);
            EXPECT_EQ(before[s].poses[i].voxel, after[s].poses[i].voxel);
        }
}

TEST(SortPoses, FewerPosesThanAskedForAndNoneAtAll) {
    KnownTerms search;
    const auto lists =
        sort_poses(as_tiles(tied_records(10), 4), sets, 2000, rotations(4), frame, search);
    EXPECT_EQ(lists[0].poses.size() + lists[1].poses.size(), 10U);
    EXPECT_TRUE(sort_poses({}, sets, 5, rotations(4), frame, search)[1].poses.empty());
}

TEST(SortPoses, TranslationsAreWrappedGridStepsFromTheReceptorCentre) {
    KnownTerms search;
    const PoseRecord record{-1, 30, (7 * 8 + 1) * 8 + 4, 0};  // steps (7, 1, 4) of 8: (-1, 1, 4)
    const auto lists = sort_poses(as_tiles({record}, 1), {sets[0]}, 5, rotations(4), frame, search);
    const Vec3 t = lists[0].poses.at(0).translation;
    EXPECT_EQ(t.x, 9.5);
    EXPECT_EQ(t.y, 20.5);
    EXPECT_EQ(t.z, 32);
}

}  // namespace
}  // namespace tessera::docking
