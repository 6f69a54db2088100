// The consensus: who goes in, what is dropped, in which order it comes out, and what a file keeps.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "docking/consensus.hpp"
#include "docking/consensus_file.hpp"
#include "docking/rigid_distance.hpp"

namespace tessera::docking {
namespace {

Pose pose_at(std::int64_t rotation, std::int64_t voxel, double score) {
    return {score, rotation, voxel, {1.0 * static_cast<double>(voxel), 0, 0}, {score, 2, 3, 4}};
}

/// Two lists; one pose is in both, ranked better in the second.
std::vector<PoseList> two_lists() {
    std::vector<PoseList> lists(2);
    lists[0].poses = {pose_at(0, 5, -9), pose_at(1, 7, -8), pose_at(2, 9, -7)};
    lists[1].poses = {pose_at(1, 7, -4), pose_at(3, 1, -3), pose_at(0, 6, -2)};
    return lists;
}

const std::vector<Quaternion> rotations{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};

TEST(Consensus, TakesEveryPoseOnceWhereItRanksBest) {
    const auto candidates = collect_candidates(two_lists(), rotations, 2);
    ASSERT_EQ(candidates.size(), 3U);
    EXPECT_EQ(candidates[0].set, 0);
    EXPECT_EQ(candidates[0].rank, 0);
    EXPECT_EQ(candidates[0].start.translation.x, 5);
    EXPECT_EQ(candidates[1].set, 1);
    EXPECT_EQ(candidates[1].rank, 0);
    EXPECT_EQ(candidates[1].start.rotation.x, 1);
    EXPECT_EQ(candidates[1].terms[0], -4);
    EXPECT_EQ(candidates[2].set, 1);
    EXPECT_EQ(candidates[2].rank, 1);
    EXPECT_EQ(collect_candidates(two_lists(), rotations, 100).size(), 5U);
    EXPECT_TRUE(collect_candidates({}, rotations, 5).empty());
    auto lists = two_lists();
    lists[0].set.weights[3] = 1;  // the other has no pair term
    EXPECT_EQ(collect_candidates(lists, rotations, 100).size(), lists[0].poses.size());
}

io::Structure chain(int residues) {
    io::Structure structure;
    for (int i = 0; i < residues; ++i) {
        io::AtomRecord atom;
        atom.name = "CA";
        atom.position = {3.8 * i, 0, 0};
        structure.atoms.push_back(atom);
    }
    return structure;
}

/// Candidates in a row, 0.5 A apart, with given numbers of contacts.
Consensus row_of(const std::vector<double>& contacts, double radius) {
    std::vector<Candidate> candidates;
    std::vector<kernels::RefinedPose> refined;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        Candidate candidate;
        candidate.rank = static_cast<std::int64_t>(i);
        candidates.push_back(candidate);
        kernels::RefinedPose pose;
        pose.pose.translation = {0, 0.5 * static_cast<double>(i), 0};
        pose.terms[kernels::contact_term] = contacts[i];
        refined.push_back(pose);
    }
    ConsensusOptions options;
    options.duplicate_radius = radius;
    ClusteringOptions clustering;
    clustering.radius = 1.2;
    return make_consensus(candidates, refined, {}, chain(6), options, clustering);
}

TEST(Consensus, DropsWhatIsNearABetterPose) {
    const std::vector<double> contacts{1000, 3000, 5000, 2000, 4000, 100};
    const Consensus all = row_of(contacts, 0);
    ASSERT_EQ(all.poses.size(), contacts.size());
    EXPECT_TRUE(std::is_sorted(all.poses.begin(), all.poses.end(),
                               [](const auto& a, const auto& b) { return a.score < b.score; }));
    const Consensus thin = row_of(contacts, 0.9);
    for (std::size_t i = 0; i < thin.poses.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            EXPECT_GE(norm(thin.poses[i].pose.translation - thin.poses[j].pose.translation), 0.9);
    EXPECT_LT(thin.poses.size(), all.poses.size());
    EXPECT_EQ(thin.poses[0].score, all.poses[0].score);
}

TEST(Consensus, ClustersAreLedByTheirBestPoses) {
    // At 0, 0.5, ... 2.5 A; the order of the scores is that of the contacts, most first.
    const Consensus consensus = row_of({5000, 100, 200, 4000, 300, 400}, 0);
    ASSERT_EQ(consensus.clusters.size(), 2U);
    const auto at = [&](std::size_t pose) { return consensus.poses[pose].pose.translation.y; };
    EXPECT_EQ(at(consensus.clusters[0].center), 0);
    EXPECT_EQ(consensus.clusters[0].members.size(), 3U);  // 0, 0.5, 1.0
    EXPECT_EQ(at(consensus.clusters[1].center), 1.5);
    EXPECT_EQ(consensus.clusters[1].members.size(), 3U);  // 1.5, 2.0, 2.5
    for (const Cluster& cluster : consensus.clusters)
        EXPECT_EQ(cluster.center, cluster.members.front());
}

TEST(Consensus, CountsNeighborsBeforeDropping) {
    for (const ConsensusPose& pose : row_of({5, 4, 3, 2, 1, 0}, 0.9).poses)
        EXPECT_EQ(pose.neighbors, 5) << "all six lie within the radius";
}

TEST(Consensus, IsReadAsItWasWritten) {
    const auto path = std::filesystem::temp_directory_path() / "tessera_consensus_test.h5";
    Consensus written = row_of({300, 100, 200}, 0);
    written.poses[1].origin = {{}, 2, 17, {1, 2, 3, 4}};
    {
        auto file = io::h5::File::create(path.string());
        auto docking = file.root().group("docking");
        write_consensus(docking, written);
    }
    const auto file = io::h5::File::open(path.string());
    const Consensus read = read_consensus(file.root().open_group("docking"));
    ASSERT_EQ(read.poses.size(), written.poses.size());
    for (std::size_t i = 0; i < read.poses.size(); ++i) {
        EXPECT_EQ(read.poses[i].score, written.poses[i].score);
        EXPECT_EQ(read.poses[i].terms, written.poses[i].terms);
        EXPECT_EQ(read.poses[i].origin.set, written.poses[i].origin.set);
        EXPECT_EQ(read.poses[i].origin.rank, written.poses[i].origin.rank);
        EXPECT_EQ(read.poses[i].origin.terms, written.poses[i].origin.terms);
        EXPECT_EQ(read.poses[i].pose.translation.y, written.poses[i].pose.translation.y);
    }
    std::filesystem::remove(path);
}

}  // namespace
}  // namespace tessera::docking
