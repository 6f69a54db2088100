#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "docking/evaluation/clustering.hpp"

namespace {

using tessera::Quaternion;
using tessera::Vec3;
using tessera::docking::Cluster;
using tessera::docking::cluster_poses;
using tessera::docking::ClusteringOptions;
using tessera::docking::Pose;
using tessera::io::Structure;

void add_atom(Structure& structure, const char* name, Vec3 position) {
    tessera::io::AtomRecord atom;
    atom.name = name;
    atom.residue = "GLY";
    atom.chain = "A";
    atom.residue_number = static_cast<int>(structure.atoms.size());
    atom.position = position;
    structure.atoms.push_back(atom);
}

/// Poses of a ligand at a receptor, in what cluster_poses takes.
struct Scene {
    Structure receptor, ligand;
    std::vector<Pose> poses;
    std::vector<Quaternion> rotations;
    Vec3 ligand_center;

    void add_pose(Vec3 translation, Quaternion rotation = {1, 0, 0, 0}) {
        Pose pose;
        pose.score = static_cast<double>(poses.size());
        pose.translation = translation;
        poses.push_back(pose);
        rotations.push_back(rotation);
    }
    std::vector<Cluster> clusters(const ClusteringOptions& options) const {
        return cluster_poses(poses, rotations, ligand_center, receptor, ligand, options);
    }
};

/// The definition, word by word, with every pair and every count made anew.
class BruteForce {
  public:
    BruteForce(const Scene& scene, const ClusteringOptions& options)
        : scene_(scene), options_(options), count_(std::min(options.poses, scene.poses.size())) {
        for (std::size_t p = 0; p < count_; ++p) place(p);
    }

    std::vector<Cluster> clusters() const {
        std::vector<bool> assigned(count_, false);
        std::vector<Cluster> found;
        while (found.size() < options_.clusters) {
            Cluster best;
            for (std::size_t p = 0; p < count_; ++p) {
                if (assigned[p]) continue;
                Cluster cluster{p, {}};
                for (std::size_t other = 0; other < count_; ++other)
                    if (!assigned[other] && (other == p || neighbors(p, other)))
                        cluster.members.push_back(other);
                const bool larger = cluster.members.size() > best.members.size();
                const bool equal = cluster.members.size() == best.members.size();
                if (larger || (equal && scene_.poses[p].score < scene_.poses[best.center].score))
                    best = cluster;
            }
            if (best.members.empty() || best.members.size() < options_.minimum_size) break;
            for (const std::size_t member : best.members) assigned[member] = true;
            found.push_back(best);
        }
        return found;
    }

    bool has_interface(std::size_t p) const {
        return std::count(interface_[p].begin(), interface_[p].end(), true) > 0;
    }

    bool neighbors(std::size_t a, std::size_t b) const {
        if (!has_interface(a) || !has_interface(b)) return false;
        double sum = 0;
        int points = 0;
        for (std::size_t k = 0; k < placed_[a].size(); ++k)
            if (interface_[a][k] || interface_[b][k]) {
                sum += distance_squared(placed_[a][k], placed_[b][k]);
                ++points;
            }
        return std::sqrt(sum / points) < options_.radius;
    }

  private:
    void place(std::size_t p) {
        std::vector<Vec3> points;
        std::vector<bool> interface;
        for (const auto& atom : scene_.ligand.atoms) {
            if (atom.name != "CA") continue;
            const Vec3 moved =
                scene_.rotations[p].matrix() * (atom.position - scene_.ligand_center) +
                scene_.poses[p].translation;
            double closest = 1e30;
            for (const auto& other : scene_.receptor.atoms)
                closest = std::min(closest, norm(other.position - moved));
            points.push_back(moved);
            interface.push_back(closest < options_.interface_cutoff);
        }
        placed_.push_back(points);
        interface_.push_back(interface);
    }

    const Scene& scene_;
    const ClusteringOptions& options_;
    std::size_t count_;
    std::vector<std::vector<Vec3>> placed_;
    std::vector<std::vector<bool>> interface_;
};

/// A ball of receptor atoms and poses scattered around random places on its surface, some of them
/// too far away to touch.
Scene random_scene(unsigned seed, int poses, int c_alphas, double spread) {
    std::mt19937 generator(seed);
    std::normal_distribution<double> normal;
    const auto random_vector = [&](double length) {
        return length * Vec3{normal(generator), normal(generator), normal(generator)};
    };
    Scene scene;
    scene.ligand_center = {3, -2, 7};
    for (int i = 0; i < 300; ++i) add_atom(scene.receptor, "C", random_vector(9));
    for (int i = 0; i < c_alphas; ++i) {
        add_atom(scene.ligand, "CA", scene.ligand_center + random_vector(7));
        add_atom(scene.ligand, "CB", scene.ligand_center + random_vector(7));
    }
    std::vector<Vec3> places;
    for (int i = 0; i < 6; ++i) {
        const Vec3 direction = random_vector(1);
        places.push_back((i == 5 ? 90 : 27) / norm(direction) * direction);
    }
    for (int i = 0; i < poses; ++i) {
        const auto place = static_cast<std::size_t>(generator() % places.size());
        Quaternion q{1, 0.1 * normal(generator), 0.1 * normal(generator), 0.1 * normal(generator)};
        const double length = q.length();
        scene.add_pose(places[place] + random_vector(spread),
                       {q.w / length, q.x / length, q.y / length, q.z / length});
    }
    return scene;
}

void expect_equal(const std::vector<Cluster>& found, const std::vector<Cluster>& expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t c = 0; c < found.size(); ++c) {
        EXPECT_EQ(found[c].center, expected[c].center) << c;
        EXPECT_EQ(found[c].members, expected[c].members) << c;
    }
}

/// A receptor atom at the origin and a ligand of one C-alpha: the RMSD of two touching poses is
/// the distance of their translations.
Scene point_scene() {
    Scene scene;
    add_atom(scene.receptor, "N", {0, 0, 0});
    add_atom(scene.ligand, "CA", {0, 0, 0});
    return scene;
}

TEST(Clustering, AgreesWithTheDefinitionOnRandomPoses) {
    for (const unsigned seed : {1u, 2u, 3u, 4u}) {
        const Scene scene = random_scene(seed, 150, seed % 2 ? 70 : 64, 1.0 + seed);
        ClusteringOptions options;
        options.minimum_size = seed;
        options.clusters = 5 * seed;
        const BruteForce brute_force(scene, options);
        const auto expected = brute_force.clusters();
        ASSERT_GE(expected.size(), 2u);
        EXPECT_GT(expected.front().members.size(), 10u);
        expect_equal(scene.clusters(options), expected);
    }
}

TEST(Clustering, UnionOfInterfacesDecides) {
    // Half a turn about the middle C-alpha exchanges the outer two, 5 A apart. The first touches in
    // one pose, the last in the other, the middle in none: RMSD 5 A over the union, 4.08 A over
    // all.
    Scene scene;
    add_atom(scene.receptor, "C", {0, 0, 0});
    for (const double x : {9.0, 11.5, 14.0}) add_atom(scene.ligand, "CA", {x, 0, 0});
    scene.ligand_center = {11.5, 0, 0};
    scene.add_pose({11.5, 0, 0});
    scene.add_pose({11.5, 0, 0}, {0, 0, 1, 0});
    ClusteringOptions options;
    options.minimum_size = 1;
    options.radius = 4.99;
    EXPECT_EQ(scene.clusters(options).size(), 2u);
    options.radius = 5.01;
    EXPECT_EQ(scene.clusters(options).size(), 1u);
}

TEST(Clustering, LargestFirstAndTiesByLowerEnergy) {
    Scene scene = point_scene();
    ClusteringOptions options;
    options.radius = 1;
    options.minimum_size = 2;
    for (const double x : {-8.0, 5.0, -7.5, 5.5, 0.0, 0.4, -0.4, 8.0}) scene.add_pose({x, 0, 0});
    const auto clusters = scene.clusters(options);
    ASSERT_EQ(clusters.size(), 3u);  // 8.0 is alone
    EXPECT_EQ(clusters[0].members, (std::vector<std::size_t>{4, 5, 6}));
    EXPECT_EQ(clusters[0].center, 4u);
    EXPECT_EQ(clusters[1].members, (std::vector<std::size_t>{0, 2}));
    EXPECT_EQ(clusters[2].members, (std::vector<std::size_t>{1, 3}));
    std::swap(scene.poses[0].score, scene.poses[3].score);  // now pose 3 is the best of all
    EXPECT_EQ(scene.clusters(options)[1].center, 3u);
}

TEST(Clustering, RemovedPosesNoLongerCount) {
    // A chain 0-1-2-3-4 of neighbours: the middle takes 1 and 3, and 0 and 4 are left alone.
    Scene scene = point_scene();
    for (const double x : {-4.0, -2.0, 0.0, 2.0, 4.0}) scene.add_pose({x, 0, 0});
    ClusteringOptions options;
    options.radius = 2.5;
    options.minimum_size = 1;
    scene.poses[2].score = -1;
    const auto clusters = scene.clusters(options);
    ASSERT_EQ(clusters.size(), 3u);
    EXPECT_EQ(clusters[0].members, (std::vector<std::size_t>{1, 2, 3}));
    EXPECT_EQ(clusters[1].members, (std::vector<std::size_t>{0}));
    EXPECT_EQ(clusters[2].members, (std::vector<std::size_t>{4}));
}

TEST(Clustering, CutoffsAreStrict) {
    Scene scene = point_scene();
    scene.add_pose({10, 0, 0});  // exactly at the cutoff: no interface
    scene.add_pose({10, 0.1, 0});
    ClusteringOptions options;
    options.minimum_size = 1;
    EXPECT_EQ(scene.clusters(options).size(), 2u);
    scene.poses[0].translation.x = scene.poses[1].translation.x = 9.9;
    EXPECT_EQ(scene.clusters(options).size(), 1u);
    scene.poses[0].translation = {0, 0, 0};
    scene.poses[1].translation = {9, 0, 0};  // exactly the radius apart
    EXPECT_EQ(scene.clusters(options).size(), 2u);
}

TEST(Clustering, PosesThatTouchNothingHaveNoNeighbors) {
    Scene scene = point_scene();
    for (int i = 0; i < 5; ++i) scene.add_pose({50, 0, 0});
    ClusteringOptions options;
    options.minimum_size = 2;
    EXPECT_TRUE(scene.clusters(options).empty());
    scene.add_pose({9.9, 0, 0});
    scene.poses[0].translation = {10.1, 0, 0};  // near the touching one, but touches nothing itself
    EXPECT_TRUE(scene.clusters(options).empty());
}

TEST(Clustering, EmptyInputsAndLimits) {
    Scene scene = point_scene();
    ClusteringOptions options;
    EXPECT_TRUE(scene.clusters(options).empty());
    for (int i = 0; i < 30; ++i) scene.add_pose({0.01 * i, 0, 0});
    ASSERT_EQ(scene.clusters(options).size(), 1u);
    EXPECT_EQ(scene.clusters(options)[0].members.size(), 30u);
    options.poses = 12;  // only the best take part
    EXPECT_EQ(scene.clusters(options)[0].members.size(), 12u);
    options.minimum_size = 13;
    EXPECT_TRUE(scene.clusters(options).empty());
    options.minimum_size = 1;
    options.clusters = 0;
    EXPECT_TRUE(scene.clusters(options).empty());
    scene.ligand.atoms[0].name = "CB";  // no C-alpha at all
    options.clusters = 3;
    EXPECT_EQ(scene.clusters(options).size(), 3u);  // every pose is on its own
}

TEST(Clustering, AThousandPosesAreQuick) {
    const Scene scene = random_scene(9, 1000, 300, 5);
    const auto start = std::chrono::steady_clock::now();
    const auto clusters = scene.clusters({});
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    EXPECT_GE(clusters.size(), 2u);
    RecordProperty("seconds", std::to_string(took.count()));
    EXPECT_LT(took.count(), 5) << "1 s expected; five for a busy machine";
}

}  // namespace
