#include "docking/screen/pose_shard.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "docking/screen/shard_view.hpp"
#include "io/hdf5/h5.hpp"

namespace tessera::docking {
namespace {

PoseShard two_pairs() {
    PoseShard shard;
    shard.number = 7;
    shard.content_sha256 = "abc";
    shard.set = {"vdw", {1, -2, 3, -4}};
    shard.rotations = {{1, 0, 0, 0}, {std::sqrt(0.5), 0, 0, std::sqrt(0.5)}};
    shard.receptors = {{"r", "in/r.pdb", {"A", "B"}, "hash r"}};
    shard.ligands = {{"k", "k.pdb", {}, "hash k"}, {"l", "l.pdb", {}, "hash l"}};
    shard.pairs = {{14, 0, 0, {1, 2, 3}, {4, 5, 6}, {{-5, 1, 2, {7, 8, 9}, {1, 2, 3, 4}}}},
                   {15, 0, 1, {1, 2, 3}, {0, 0, 1}, {{-4, 0, 0, {}, {}}, {-3, 1, 1, {}, {}}}}};
    return shard;
}

/// The shard after it was written and read.
PoseShard stored(const PoseShard& shard) {
    const io::h5::File file = io::h5::File::in_memory("shard.h5");
    write_shard(file.root(), shard);
    return read_shard(file.root());
}

std::string problem_of(const PoseShard& shard) {
    try {
        stored(shard);
    } catch (const Error& error) {
        return error.what();
    }
    return "none";
}

TEST(PoseShard, IsReadAsItWasWritten) {
    const PoseShard shard = stored(two_pairs());
    EXPECT_EQ(shard.number, 7);
    EXPECT_EQ(shard.content_sha256, "abc");
    EXPECT_EQ(shard.set.weights, two_pairs().set.weights);
    EXPECT_EQ(shard.receptors[0].chains, (std::vector<std::string>{"A", "B"}));
    EXPECT_EQ(shard.ligands[1].sha256, "hash l");
    ASSERT_EQ(shard.pairs.size(), 2U);
    EXPECT_EQ(shard.name(shard.pairs[1]), "r__l");
    EXPECT_EQ(shard.pairs[0].ligand_center.y, 5);
    ASSERT_EQ(shard.pairs[1].poses.size(), 2U);
    EXPECT_EQ(shard.pairs[1].poses[1].score, -3);
    const KeptPose& pose = shard.pairs[0].poses[0];
    EXPECT_EQ(pose.rotation, 1);
    EXPECT_EQ(pose.cluster, 2);
    EXPECT_EQ(pose.translation.z, 9);
    EXPECT_EQ(pose.terms[3], 4);
}

TEST(PoseShard, APairTakesAboutAKilobyte) {
    PoseShard shard;
    shard.rotations.assign(1800, Quaternion{});
    shard.receptors = {{"r", "in/r.pdb", {"A"}, std::string(64, 'a')}};
    constexpr std::size_t pairs = 2048;
    for (std::size_t i = 0; i < pairs; ++i) {
        const auto place = static_cast<std::int64_t>(i);
        shard.ligands.push_back(
            {"ligand" + std::to_string(i), "proteins/ligand.pdb", {"B"}, std::string(64, 'b')});
        shard.pairs.push_back({place, 0, place, {}, {}, std::vector<KeptPose>(poses_kept)});
    }
    const io::h5::File file = io::h5::File::in_memory("shard.h5");
    write_shard(file.root(), shard);
    EXPECT_LT(file.image().size(), pairs * 1200);
    EXPECT_EQ(read_shard(file.root()).pairs.size(), pairs);
}

TEST(PoseShard, PosesOfAPairAreAResult) {
    const PoseShard shard = two_pairs();
    const DockResult result = result_of_pair(shard, pair_named(shard, "r__k"));
    EXPECT_EQ(result.lists[0].set.name, "r__k");
    EXPECT_EQ(result.lists[0].poses[0].terms[2], 3);
    EXPECT_EQ(result.frame.ligand_center.x, 4);
    EXPECT_EQ(result.ligand_sha256, "hash k");
    EXPECT_THROW(pair_named(shard, "k__r"), Error);
}

TEST(PoseShard, TheTableHasARowForEachPose) {
    const auto shard = std::make_shared<const PoseShard>(two_pairs());
    EXPECT_EQ(shard_table(shard, "", 9).rows, 3);
    EXPECT_EQ(shard_table(shard, "", 1).rows, 2);
    const io::ValueTable one = shard_table(shard, "r__l", 9);
    ASSERT_EQ(one.rows, 2);
    EXPECT_EQ(one.row(1).size(), one.columns.size());
    EXPECT_EQ(std::get<double>(one.row(1)[3]), -3);
}

TEST(PoseShard, PartsThatDoNotFitTogetherAreRefused) {
    PoseShard wrong = two_pairs();
    wrong.pairs[0].poses[0].rotation = 2;
    EXPECT_NE(problem_of(wrong).find("rotation"), std::string::npos);
    wrong = two_pairs();
    wrong.pairs[1].ligand = 2;
    EXPECT_NE(problem_of(wrong).find("ligand"), std::string::npos);
    wrong = two_pairs();
    std::swap(wrong.pairs[1].poses[0], wrong.pairs[1].poses[1]);
    EXPECT_NE(problem_of(wrong).find("ascending"), std::string::npos);
    wrong = two_pairs();
    wrong.pairs[1].number = 14;
    EXPECT_NE(problem_of(wrong).find("number"), std::string::npos);
    wrong = two_pairs();
    wrong.ligands[0].name = "../k";
    EXPECT_NE(problem_of(wrong).find("protein"), std::string::npos);
}

TEST(KeptPoses, BytesBecomeTheSamePair) {
    KeptPair pair{"hash r", "hash l", {1, 2, 3}, {4, 5, 6}, {}};
    pair.poses = {{-2, 3, 1, {7, 8, 9}, {1, 2, 3, 4}}, {-1, 4, 0, {}, {}}};
    const KeptPair same = unpacked_pair(packed(pair));
    EXPECT_EQ(same.ligand_sha256, "hash l");
    EXPECT_EQ(same.ligand_center.z, 6);
    ASSERT_EQ(same.poses.size(), 2U);
    EXPECT_EQ(same.poses[0].terms[3], 4);
    EXPECT_THROW(unpacked_pair(packed(pair).substr(1)), Error);
}

}  // namespace
}  // namespace tessera::docking
