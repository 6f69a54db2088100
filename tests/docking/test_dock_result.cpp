#include "docking/result/dock_result.hpp"

#include <gtest/gtest.h>

#include <string>

#include "core/error.hpp"
#include "io/temporary_folder.hpp"
#include "synthetic_result.hpp"

namespace tessera::docking {
namespace {

using testing::synthetic_result;

void expect_equal(Vec3 a, Vec3 b) {
    EXPECT_EQ(a.x, b.x);
    EXPECT_EQ(a.y, b.y);
    EXPECT_EQ(a.z, b.z);
}

/// Writes, closes, opens, and hands the file on.
template <class Check>
void written(const DockResult& result, const Check& check) {
    const test::TemporaryFolder folder;
    {
        auto file = io::h5::File::create(folder / "out.h5");
        write_dock_result(file.root(), result);
        file.close();
    }
    const auto file = io::h5::File::open(folder / "out.h5");
    check(file.root());
}

TEST(DockResult, ComesBackBitForBitAndInOrder) {
    const DockResult result = synthetic_result();
    written(result, [&](const io::h5::Group& root) {
        const DockResult back = read_dock_result(root);
        EXPECT_EQ(back.frame.n, result.frame.n);
        EXPECT_EQ(back.frame.spacing, result.frame.spacing);
        expect_equal(back.frame.receptor_center, result.frame.receptor_center);
        expect_equal(back.frame.ligand_center, result.frame.ligand_center);
        EXPECT_EQ(back.receptor_sha256, "aa11");
        EXPECT_EQ(back.ligand_sha256, "bb22");
        ASSERT_EQ(back.rotations.size(), result.rotations.size());
        for (std::size_t r = 0; r < result.rotations.size(); ++r)
            EXPECT_EQ(back.rotations[r].y, result.rotations[r].y);
        ASSERT_EQ(back.lists.size(), 2U);
        for (std::size_t s = 0; s < 2; ++s) {
            EXPECT_EQ(back.lists[s].set.name, result.lists[s].set.name);
            EXPECT_EQ(back.lists[s].set.weights, result.lists[s].set.weights);
            ASSERT_EQ(back.lists[s].poses.size(), result.lists[s].poses.size());
            for (std::size_t i = 0; i < result.lists[s].poses.size(); ++i) {
                const Pose &was = result.lists[s].poses[i], &is = back.lists[s].poses[i];
                EXPECT_EQ(is.score, was.score);
                EXPECT_EQ(is.rotation, was.rotation);
                EXPECT_EQ(is.voxel, was.voxel);
                expect_equal(is.translation, was.translation);
                EXPECT_EQ(is.terms, was.terms);
            }
        }
    });
}

/// Three restraints in two groups. Pose i of a list satisfies i modulo 4 of them.
DockResult restrained_result() {
    DockResult result = synthetic_result();
    StoredRestraints restraints;
    restraints.groups = {{"links", 2, 1}, {"air \"x\"", 1, 1}};
    restraints.names = {"a", "b,c", "3"};
    restraints.group = {0, 0, 1};
    restraints.lower = {0, 1.5, 2};
    restraints.upper = {25, 4.25, 8};
    restraints.tolerance = 0.75;
    restraints.weight = 3;
    result.restraints = restraints;
    for (PoseList& list : result.lists)
        for (std::size_t i = 0; i < list.poses.size(); ++i)
            list.poses[i].satisfied = static_cast<std::int64_t>(i % 4);
    return result;
}

TEST(DockResult, RestraintsComeBack) {
    const DockResult result = restrained_result();
    written(result, [&](const io::h5::Group& root) {
        const DockResult back = read_dock_result(root);
        ASSERT_TRUE(back.restraints.has_value());
        EXPECT_EQ(back.restraints->names, result.restraints->names);
        EXPECT_EQ(back.restraints->group, result.restraints->group);
        EXPECT_EQ(back.restraints->lower, result.restraints->lower);
        EXPECT_EQ(back.restraints->upper, result.restraints->upper);
        EXPECT_EQ(back.restraints->tolerance, 0.75);
        EXPECT_EQ(back.restraints->weight, 3);
        ASSERT_EQ(back.restraints->groups.size(), 2U);
        EXPECT_EQ(back.restraints->groups[0].required, 1);
        EXPECT_EQ(back.restraints->groups[1].name, "air \"x\"");
        EXPECT_EQ(back.lists[1].poses[7].satisfied, 3);
        const auto group = root.open_group("docking/restraints");
        EXPECT_EQ(group.open_dataset("upper").read_attribute<std::string>("units"), "angstrom");
        EXPECT_DOUBLE_EQ(group.open_dataset("fraction/vdw").read<double>().values[6], 2 / 3.0);
    });
}

TEST(DockResult, CountsOfRestraintsThatCannotBeAreRefused) {
    DockResult result = restrained_result();
    result.lists[0].poses[3].satisfied = 4;
    written(result,
            [&](const io::h5::Group& root) { EXPECT_THROW(read_dock_result(root), Error); });
    result = restrained_result();
    result.restraints->group[2] = 2;
    written(result,
            [&](const io::h5::Group& root) { EXPECT_THROW(read_dock_result(root), Error); });
}

/// Names, shapes, types and attributes that users' scripts rely on.
TEST(DockResult, LayoutIsTheContract) {
    DockResult result = synthetic_result();
    for (const PoseList& list : result.lists)
        result.quality.emplace_back(list.poses.size(), PoseQuality{1, 2, 0.75, 0.5, 3});
    written(result, [&](const io::h5::Group& root) {
        const auto docking = root.open_group("docking");
        EXPECT_EQ(docking.open_dataset("receptor_center").shape(), (io::h5::Shape{3}));
        EXPECT_EQ(docking.open_dataset("rotations").shape(), (io::h5::Shape{40, 4}));
        for (const char* name : {"receptor_center", "ligand_center", "poses/vdw/translation",
                                 "evaluation/vdw/ligand_rmsd", "evaluation/vdw/interface_rmsd"})
            EXPECT_EQ(docking.open_dataset(name).read_attribute<std::string>("units"), "angstrom");
        const auto poses = docking.open_group("poses/balanced");
        EXPECT_EQ(poses.open_dataset("score").shape(), (io::h5::Shape{40}));
        EXPECT_EQ(poses.open_dataset("translation").shape(), (io::h5::Shape{40, 3}));
        const auto terms = poses.open_dataset("terms");
        EXPECT_EQ(terms.shape(), (io::h5::Shape{40, 4}));
        EXPECT_EQ(terms.read_attributes<std::string>("names"),
                  (std::vector<std::string>{"repulsion", "attraction", "electrostatics", "pair"}));
        const auto weights = poses.read_attributes<double>("weights");
        const auto t = terms.read<double>().values;
        const auto score = poses.open_dataset("score").read<double>().values;
        for (std::size_t i = 0; i < score.size(); ++i)
            EXPECT_NEAR(score[i],
                        weights[0] * t[4 * i] + weights[1] * t[4 * i + 1] +
                            weights[2] * t[4 * i + 2] + weights[3] * t[4 * i + 3],
                        1e-12);
        const auto clusters = docking.open_group("clusters/vdw");
        EXPECT_EQ(clusters.open_dataset("center").read<std::int64_t>().values,
                  (std::vector<std::int64_t>{3, 0}));
        EXPECT_EQ(clusters.open_dataset("size").read<std::int64_t>().values,
                  (std::vector<std::int64_t>{3, 2}));
        EXPECT_EQ(clusters.open_dataset("members").read<std::int64_t>().values,
                  (std::vector<std::int64_t>{1, 3, 7, 0, 2}));
        const auto quality = docking.open_group("evaluation/balanced");
        EXPECT_EQ(quality.open_dataset("fnat").read<double>().values[39], 0.75);
        EXPECT_EQ(quality.open_dataset("dockq").read<double>().values[0], 0.5);
    });
}

TEST(DockResult, NoPosesAndNoClustersAreAResult) {
    DockResult result = synthetic_result();
    for (auto& list : result.lists) list.poses.clear();
    for (auto& clusters : result.clusters) clusters.clear();
    written(result, [&](const io::h5::Group& root) {
        EXPECT_EQ(read_dock_result(root).lists[1].poses.size(), 0U);
        EXPECT_EQ(root.open_group("docking/clusters/vdw").open_dataset("members").shape()[0], 0U);
    });
}

TEST(DockResult, ClustersAndQualitiesComeBack) {
    DockResult result = synthetic_result();
    for (const PoseList& list : result.lists)
        result.quality.emplace_back(list.poses.size(), PoseQuality{1, 2, 0.5, 0.25, 3});
    written(result, [&](const io::h5::Group& root) {
        DockResult back = read_dock_result(root);
        EXPECT_TRUE(back.clusters.empty());
        read_clusters_and_quality(root, back);
        ASSERT_EQ(back.clusters.size(), 2U);
        ASSERT_EQ(back.clusters[1].size(), 2U);
        EXPECT_EQ(back.clusters[1][0].center, 3U);
        EXPECT_EQ(back.clusters[1][0].members, (std::vector<std::size_t>{1, 3, 7}));
        EXPECT_EQ(back.clusters[1][1].members, (std::vector<std::size_t>{0, 2}));
        EXPECT_EQ(back.quality[1].at(39).interface_rmsd, 2);
    });
}

TEST(DockResult, ClustersThatDoNotFitAreRefused) {
    for (const Cluster& bad : {Cluster{40, {1, 3}}, Cluster{3, {3, 40}}, Cluster{3, {}}}) {
        DockResult result = synthetic_result();
        result.clusters[1][0] = bad;
        written(result, [&](const io::h5::Group& root) {
            DockResult back = read_dock_result(root);
            EXPECT_THROW(read_clusters_and_quality(root, back), Error);
        });
    }
}

TEST(DockResult, APoseOfNoRotationIsRefused) {
    for (const std::int64_t rotation : {std::int64_t{-1}, std::int64_t{1} << 40}) {
        DockResult result = synthetic_result();
        result.lists[0].poses[0].rotation = rotation;
        written(result,
                [&](const io::h5::Group& root) { EXPECT_THROW(read_dock_result(root), Error); });
    }
}

TEST(DockResult, PartsThatDoNotFitAreRefused) {
    const test::TemporaryFolder folder;
    auto file = io::h5::File::create(folder / "out.h5");
    auto docking = file.root().group("docking");
    docking.write_attribute("grid", std::int64_t{48});
    docking.write_attribute("spacing_angstrom", 1.0);
    docking.write_attribute("receptor_sha256", "");
    docking.write_attribute("ligand_sha256", "");
    docking.write_attribute("sets", std::vector<std::string>{"one"});
    docking.write("receptor_center", std::vector<double>{1, 2, 3});
    docking.write("ligand_center", std::vector<double>{1, 2, 3});
    docking.write("rotations", std::vector<double>{1, 0, 0, 0}, {1, 4});
    auto poses = docking.group("poses/one");
    poses.write_attribute("weights", std::vector<double>{1, 1, 1, 1});
    poses.write("score", std::vector<double>{-1, -2});
    poses.write("rotation", std::vector<std::int64_t>{0});
    EXPECT_THROW(read_dock_result(file.root()), Error);
}

}  // namespace
}  // namespace tessera::docking
