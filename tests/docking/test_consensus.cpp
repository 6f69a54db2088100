// The consensus: who goes in, what is dropped, in which order it comes out, and what a file keeps.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "docking/evaluation/rigid_distance.hpp"
#include "docking/refinement/consensus.hpp"
#include "docking/result/consensus_file.hpp"

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
    EXPECT_EQ(candidates[0].place, 0);
    EXPECT_EQ(candidates[0].start.translation.x, 5);
    EXPECT_EQ(candidates[1].set, 1);
    EXPECT_EQ(candidates[1].place, 0);
    EXPECT_EQ(candidates[1].start.rotation.x, 1);
    EXPECT_EQ(candidates[1].terms[0], -4);
    EXPECT_EQ(candidates[2].set, 1);
    EXPECT_EQ(candidates[2].place, 1);
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

/// A refined pose moved along y, by Angstrom, with the score of that pose alone.
struct RowPose {
    double y, pose_score;
};

/// Candidates of a row; the score of each comes from its contacts alone.
Consensus consensus_of(const std::vector<RowPose>& row, double duplicate_radius,
                       double cluster_radius = 1.2) {
    std::vector<Candidate> candidates;
    std::vector<kernels::RefinedPose> refined;
    std::vector<double> contact_energies;
    for (const RowPose& given : row) {
        Candidate candidate;
        candidate.place = static_cast<std::int64_t>(candidates.size());
        candidates.push_back(candidate);
        kernels::RefinedPose pose;
        pose.pose.translation = {0, given.y, 0};
        refined.push_back(pose);
        contact_energies.push_back(given.pose_score);
    }
    ConsensusOptions options;
    options.duplicate_radius = duplicate_radius;
    ClusteringOptions clustering;
    clustering.radius = cluster_radius;
    return make_consensus({candidates, refined, contact_energies}, {}, {chain(6), {}}, options,
                          clustering);
}

const std::vector<RowPose> row{{0, -1}, {0.5, -3}, {1, -5}, {1.5, -2}, {2, -4}, {2.5, 0}};

TEST(Consensus, ScoreIsTheWeightedSumOfAllTerms) {
    RescoringWeights weights;
    weights.refined[kernels::contact_term] = 3;
    weights.refined[kernels::burial_term] = -2;
    weights.searched[1] = 0.5;
    Candidate candidate;
    candidate.terms = {9, 8, 7, 6};
    kernels::RefinedPose refined;
    refined.terms[kernels::contact_term] = 10;
    refined.terms[kernels::burial_term] = 4;
    const Consensus consensus =
        make_consensus({{candidate}, {refined}, {0.25}}, weights, {chain(6), {}}, {}, {});
    ASSERT_EQ(consensus.poses.size(), 1U);
    EXPECT_DOUBLE_EQ(consensus.poses[0].pose_score, 3 * 10 - 2 * 4 + 0.5 * 8 + 0.25);
    EXPECT_DOUBLE_EQ(consensus.poses[0].score, consensus.poses[0].pose_score);
    EXPECT_EQ(consensus.poses[0].contact_energy, 0.25);
    const Consensus with_statistical = make_consensus({{candidate}, {refined}, {0.25}, {}, {-1.5}},
                                                      weights, {chain(6), {}}, {}, {});
    EXPECT_DOUBLE_EQ(with_statistical.poses[0].pose_score, 3 * 10 - 2 * 4 + 0.5 * 8 + 0.25 - 1.5);
    EXPECT_EQ(with_statistical.poses[0].statistical_energy, -1.5);
    weights.cdr_share = -4;
    const Consensus of_antibody = make_consensus({{candidate}, {refined}, {0.25}, {}, {}, {0.75}},
                                                 weights, {chain(6), {}}, {}, {});
    EXPECT_DOUBLE_EQ(of_antibody.poses[0].pose_score, 3 * 10 - 2 * 4 + 0.5 * 8 + 0.25 - 4 * 0.75);
    EXPECT_EQ(of_antibody.poses[0].cdr_share, 0.75);
}

TEST(Consensus, EnergiesOfRestraintsAreAPartOfTheScore) {
    const std::vector<Candidate> candidates(2);
    std::vector<kernels::RefinedPose> refined(2);
    refined[1].pose.translation = {100, 0, 0};
    const std::vector<double> contacts{-1, -2};
    ConsensusOptions options;
    options.duplicate_radius = 0;
    const auto with = [&](const std::vector<RestraintScore>& restraints) {
        return make_consensus({candidates, refined, contacts, restraints}, {}, {chain(6), {}},
                              options, {})
            .poses;
    };
    const auto free = with({}), held = with({{5, 0.5}, {2, 3}});
    EXPECT_EQ(free[0].pose_score, -2);
    EXPECT_EQ(free[0].restraint_energy, 0);
    EXPECT_EQ(held[0].pose_score, -0.5);
    EXPECT_EQ(held[0].satisfied, 5);
    EXPECT_EQ(held[0].restraint_energy, 0.5);
    EXPECT_EQ(held[1].pose_score, 1);
    EXPECT_EQ(held[1].satisfied, 2);
}

TEST(Consensus, DropsWhatIsNearABetterPose) {
    const Consensus all = consensus_of(row, 0);
    ASSERT_EQ(all.poses.size(), row.size());
    for (const ConsensusPose& pose : all.poses) EXPECT_EQ(pose.score, pose.pose_score);
    const Consensus thin = consensus_of(row, 0.9);
    ASSERT_EQ(thin.poses.size(), 3U);  // at 1, 2 and 0 A
    for (std::size_t i = 0; i < thin.poses.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            EXPECT_GE(norm(thin.poses[i].pose.translation - thin.poses[j].pose.translation), 0.9);
}

TEST(Consensus, APoseStandsForTheDuplicatesItDrops) {
    const Consensus thin = consensus_of(row, 0.9);
    ASSERT_EQ(thin.poses.size(), 3U);
    // 1.5 A is near both 1 and 2 A: it counts with the better one.
    const auto sum = [](std::initializer_list<double> scores) {
        double total = 0;
        for (const double s : scores) total += std::exp(-s);
        return -std::log(total);
    };
    EXPECT_NEAR(thin.poses[0].score, sum({-5, -3, -2}), 1e-12);
    EXPECT_NEAR(thin.poses[1].score, sum({-4, 0}), 1e-12);
    EXPECT_NEAR(thin.poses[2].score, -1, 1e-12);
    EXPECT_EQ(thin.poses[0].pose_score, -5);
}

TEST(Consensus, ManyGoodPosesTogetherComeBeforeASingleBetterOne) {
    std::vector<RowPose> crowd{{0, -5}};
    for (int i = 0; i < 5; ++i) crowd.push_back({20 + 0.1 * i, -4.5 + 0.1 * i});
    EXPECT_EQ(consensus_of(crowd, 0).poses[0].pose.translation.y, 0);
    const Consensus thin = consensus_of(crowd, 1);
    ASSERT_EQ(thin.poses.size(), 2U);
    EXPECT_EQ(thin.poses[0].pose.translation.y, 20);
    EXPECT_LT(thin.poses[0].score, -5);
    EXPECT_EQ(thin.clusters[0].center, 0U);
}

TEST(Consensus, ClustersAreLedByTheirBestPoses) {
    const Consensus consensus =
        consensus_of({{0, -6}, {0.5, -1}, {1, -2}, {1.5, -5}, {2, -3}, {2.5, -4}}, 0);
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
    for (const ConsensusPose& pose : consensus_of(row, 0.9).poses)
        EXPECT_EQ(pose.neighbors, 5) << "all six lie within the radius";
}

TEST(Consensus, IsReadAsItWasWritten) {
    const std::filesystem::path path =
        ::testing::TempDir() + "tessera_" + std::to_string(getpid()) + "_consensus.h5";
    Consensus written = consensus_of({{0, -3}, {0.3, -1}, {9, -2}}, 1);
    ASSERT_EQ(written.poses.size(), 2U);
    written.poses[1].origin = {{}, 2, 17, {1, 2, 3, 4}};
    written.weights.table = {"my table.csv", "ab12"};
    written.weights.refined[3] = -0.25;
    written.weights.searched = {1, 2, 3, 4};
    written.weights.contacts = {2, {{{1, 2, 2, 3}, {4, 5, 5, 6}}}};
    written.weights.statistical = {0.5, 0, 0, -1};
    written.poses[1].statistical_energy = 1.25;
    written.weights.cdr_share = -4.5;
    written.poses[1].cdr_share = 0.875;
    written.poses[0].repacked = RepackedChange{-0.5, -7, -30, 4};
    written.repack_median = -0.25;
    written.weights.repacked = {0.5, 0, 0.125};
    {
        auto file = io::h5::File::create(path.string());
        auto docking = file.root().group("docking");
        write_consensus(docking, written);
    }
    const auto file = io::h5::File::open(path.string());
    const Consensus read = read_consensus(file.root().open_group("docking"), 3, 18);
    EXPECT_EQ(read.weights.table.name, "my table.csv");
    EXPECT_EQ(read.weights.table.sha256, "ab12");
    EXPECT_EQ(read.weights.refined, written.weights.refined);
    EXPECT_EQ(read.weights.searched, written.weights.searched);
    EXPECT_EQ(read.weights.statistical, written.weights.statistical);
    EXPECT_EQ(read.weights.cdr_share, -4.5);
    EXPECT_EQ(read.weights.contacts.types, 2);
    EXPECT_EQ(read.weights.contacts.shells, written.weights.contacts.shells);
    EXPECT_EQ(read.weights.repacked, written.weights.repacked);
    EXPECT_EQ(read.repack_median, -0.25);
    ASSERT_EQ(read.poses.size(), written.poses.size());
    ASSERT_TRUE(read.poses[0].repacked);
    EXPECT_EQ(read.poses[0].repacked->score, -0.5);
    EXPECT_EQ(read.poses[0].repacked->energy, -7);
    EXPECT_EQ(read.poses[0].repacked->binding, -30);
    EXPECT_EQ(read.poses[0].repacked->side_chains, 4);
    EXPECT_FALSE(read.poses[1].repacked);
    for (std::size_t i = 0; i < read.poses.size(); ++i) {
        EXPECT_EQ(read.poses[i].score, written.poses[i].score);
        EXPECT_EQ(read.poses[i].pose_score, written.poses[i].pose_score);
        EXPECT_EQ(read.poses[i].contact_energy, written.poses[i].contact_energy);
        EXPECT_EQ(read.poses[i].statistical_energy, written.poses[i].statistical_energy);
        EXPECT_EQ(read.poses[i].cdr_share, written.poses[i].cdr_share);
        EXPECT_EQ(read.poses[i].terms, written.poses[i].terms);
        EXPECT_EQ(read.poses[i].origin.set, written.poses[i].origin.set);
        EXPECT_EQ(read.poses[i].origin.place, written.poses[i].origin.place);
        EXPECT_EQ(read.poses[i].origin.terms, written.poses[i].origin.terms);
        EXPECT_EQ(read.poses[i].pose.translation.y, written.poses[i].pose.translation.y);
    }
    std::filesystem::remove(path);
}

}  // namespace
}  // namespace tessera::docking
