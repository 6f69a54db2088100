// A summary says what reading everything says, and refuses poses that are not all there.
#include "docking/result/dock_summary.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "docking/result/dock_result.hpp"
#include "io/temporary_folder.hpp"
#include "synthetic_result.hpp"

namespace tessera::docking {
namespace {

using testing::synthetic_result;

DockResult with_consensus() {
    DockResult result = synthetic_result();
    Consensus consensus;
    consensus.weights.refined.fill(0.5);
    consensus.weights.searched.fill(2);
    for (int i = 0; i < 7; ++i) {
        ConsensusPose pose;
        pose.score = i - 3.25;
        pose.pose.rotation = {1, 0, 0, 0};
        consensus.poses.push_back(pose);
    }
    result.consensus = consensus;
    return result;
}

/// Writes, changes, closes, opens and summarises.
DockSummary summary_of(const DockResult& result,
                       const std::function<void(io::h5::Group)>& change = {}) {
    const test::TemporaryFolder folder;
    auto file = io::h5::File::create(folder / "out.h5");
    write_dock_result(file.root(), result);
    if (change) change(file.root().group("docking"));
    file.close();
    return read_dock_summary(io::h5::File::open(folder / "out.h5").root());
}

TEST(DockSummary, CountsPosesAndTakesTheFirstScores) {
    const DockResult result = with_consensus();
    const DockSummary summary = summary_of(result);
    EXPECT_EQ(summary.rotations, 40U);
    EXPECT_EQ(summary.frame.n, result.frame.n);
    EXPECT_EQ(summary.receptor_sha256, "aa11");
    EXPECT_EQ(summary.ligand_sha256, "bb22");
    ASSERT_EQ(summary.sets.size(), 2U);
    for (std::size_t s = 0; s < 2; ++s) {
        EXPECT_EQ(summary.sets[s].set.name, result.lists[s].set.name);
        EXPECT_EQ(summary.sets[s].set.weights, result.lists[s].set.weights);
        EXPECT_EQ(summary.sets[s].poses, 40U);
        EXPECT_EQ(summary.sets[s].best_score, result.lists[s].poses[0].score);
    }
    ASSERT_TRUE(summary.consensus);
    EXPECT_EQ(summary.consensus->poses, 7U);
    EXPECT_EQ(summary.consensus->best_score, -3.25);
    EXPECT_EQ(summary.consensus->weights, result.consensus->weights.refined);
    EXPECT_EQ(summary.consensus->search_weights, result.consensus->weights.searched);
}

/// Results of older versions do not say it, and half of it is damage.
TEST(DockSummary, SaysWhichTableWeighedTheRefinedPoses) {
    DockResult result = with_consensus();
    EXPECT_EQ(summary_of(result).consensus->table.name, "");
    EXPECT_EQ(summary_of(result).consensus->table.sha256, "");
    result.consensus->weights.table = {"general", "cc33"};
    EXPECT_EQ(summary_of(result).consensus->table.name, "general");
    EXPECT_EQ(summary_of(result).consensus->table.sha256, "cc33");
    result.consensus->weights.table = {};
    EXPECT_THROW(summary_of(result,
                            [](io::h5::Group docking) {
                                docking.group("consensus").write_attribute("weights_sha256", "cc");
                            }),
                 Error);
}

TEST(DockSummary, NoPosesHaveNoScore) {
    DockResult result = synthetic_result();
    result.lists[1].poses.clear();
    const DockSummary summary = summary_of(result);
    EXPECT_EQ(summary.sets[1].poses, 0U);
    EXPECT_FALSE(summary.sets[1].best_score);
    EXPECT_FALSE(summary.consensus);
}

TEST(DockSummary, RefusesPosesThatAreNotAllThere) {
    const std::vector<double> values(39 * 3);
    EXPECT_THROW(summary_of(synthetic_result(),
                            [&](io::h5::Group docking) {
                                docking.write_attribute("sets", std::vector<std::string>{"new"});
                                auto poses = docking.group("poses/new");
                                poses.write_attribute("weights", std::vector<double>(4));
                                poses.write("score", std::vector<double>(40));
                                poses.write("rotation", std::vector<std::int64_t>(40));
                                poses.write("voxel", std::vector<std::int64_t>(40));
                                poses.write("translation", values, {39, 3});
                                poses.write("terms", std::vector<double>(160), {40, 4});
                            }),
                 Error);
    EXPECT_THROW(summary_of(synthetic_result(),
                            [](io::h5::Group docking) {
                                docking.write_attribute("sets", std::vector<std::string>{"none"});
                            }),
                 Error);
}

TEST(DockSummary, RefusesAFirstScoreThatIsNoNumber) {
    DockResult result = synthetic_result();
    result.lists[0].poses[0].score = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(summary_of(result), Error);
}

}  // namespace
}  // namespace tessera::docking
