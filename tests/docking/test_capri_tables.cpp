#include "docking/result/capri_tables.hpp"

#include <gtest/gtest.h>

#include "synthetic_result.hpp"

namespace tessera::docking {
namespace {

/// Six poses in clusters {1, 2, 3, 4, 5} and {0}; numbers that are easy to average by hand.
DockResult judged_result() {
    DockResult result = testing::synthetic_result();
    result.lists.resize(1);
    auto& poses = result.lists[0].poses;
    poses.resize(6);
    const double scores[] = {-10, -9, -8, -7, -6, 100};
    result.quality.resize(1);
    for (int i = 0; i < 6; ++i) {
        poses[i].score = scores[i];
        result.quality[0].push_back({1.0 * i, 0.5 * i, 0.25, 0.125 * i, 7});
    }
    result.clusters = {{{2, {1, 2, 3, 4, 5}}, {0, {0}}}};
    return result;
}

TEST(CapriTables, EveryPoseHasARow) {
    const DockResult result = judged_result();
    const std::string text = capri_poses(ChosenList(result, 0));
    EXPECT_EQ(text.substr(0, text.find('\n')),
              "model\tmd5\tcaprieval_rank\tscore\tirmsd\tfnat\tlrmsd\tilrmsd\tdockq\tcluster_id\t"
              "cluster_ranking\tmodel-cluster_ranking");
    EXPECT_NE(
        text.find("\nvdw_0001.pdb\t-\t1\t-10.000\t0.000\t0.250\t0.000\tnan\t0.000\t2\t2\t1\n"),
        std::string::npos);
    EXPECT_NE(text.find("\nvdw_0003.pdb\t-\t3\t-8.000\t1.000\t0.250\t2.000\tnan\t0.250\t1\t1\t2\n"),
              std::string::npos);
    EXPECT_EQ(std::ranges::count(text, '\n'), 7);
}

/// Cluster 1: scores -9, -8, -7, -6 have the mean -7.5 and the deviation sqrt(1.25) = 1.118.
TEST(CapriTables, ClustersAreJudgedByTheirBestFour) {
    const DockResult result = judged_result();
    const std::string text = capri_clusters(ChosenList(result, 0));
    const std::string rows = text.substr(text.find('\n'));
    EXPECT_EQ(rows,
              "\n2\t2\t1\tyes\t-10.000\t0.000\t0.000\t0.000\t0.250\t0.000\t0.000\t0.000\t0.000\t"
              "0.000\t1\n"
              "1\t1\t5\t-\t-7.500\t1.118\t1.250\t0.559\t0.250\t0.000\t2.500\t1.118\t0.312\t0.140\t"
              "2\n");
}

}  // namespace
}  // namespace tessera::docking
