// Rings of equal copies: the option, the axes, and the energies and distances of rings.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/error.hpp"
#include "docking/evaluation/rigid_distance.hpp"
#include "docking/homomer.hpp"
#include "docking/model/symmetry.hpp"
#include "docking/plain_rmsd.hpp"
#include "docking/search/ring_axes.hpp"
#include "docking/search/ring_terms.hpp"
#include "docking/setup/dock_choices.hpp"
#include "docking/synthetic_molecules.hpp"
#include "kokkos_kernels/docking/ring_pose.hpp"

namespace tessera::docking {
namespace {

using kernels::RigidPose;
using kernels::Ring;
using testing::Homomer;

TEST(Symmetry, TakesRingsAndAssembliesAndRefusesTheRest) {
    EXPECT_FALSE(parse_symmetry("").is_set());
    for (const char* name : {"C2", "C24", "D2", "D12"}) {
        const Symmetry symmetry = parse_symmetry(name, {0, 500, false, 7});
        EXPECT_EQ(name_of(symmetry), name);
        EXPECT_EQ(symmetry.axes, 500);
        EXPECT_EQ(symmetry.rings, 7);
    }
    EXPECT_EQ(parse_symmetry("c12").copies, 12);
    EXPECT_FALSE(parse_symmetry("c12").dihedral);
    EXPECT_TRUE(parse_symmetry("d3").dihedral);
    for (const char* wrong :
         {"C1", "C25", "C", "3", "C3x", "T", "C-3", "D1", "D13", "D", "D3x", "O"})
        EXPECT_THROW(parse_symmetry(wrong), Error) << wrong;
}

TEST(Symmetry, InputIsReadBackAndConflictsAreRefused) {
    DockInput input;
    input.receptor_path = "a.pdb";
    const std::string plain = to_json(input);
    EXPECT_EQ(plain.find("symmetry"), std::string::npos);
    input.symmetry = {3, 500};
    DockChoices().complete(input);
    EXPECT_EQ(input.ligand_path, "a.pdb");
    const DockInput again = input_from_json(to_json(input), "run.h5");
    EXPECT_EQ(again.symmetry.copies, 3);
    EXPECT_EQ(again.symmetry.axes, 500);
    EXPECT_EQ(to_json(input).find("rings"), std::string::npos);
    DockInput assembly = input;
    assembly.symmetry = {3, 500, true, 7};
    const DockInput read = input_from_json(to_json(assembly), "run.h5");
    EXPECT_TRUE(read.symmetry.dihedral);
    EXPECT_EQ(read.symmetry.rings, 7);
    const auto refused = [&](const auto& change) {
        DockInput other = input;
        change(other);
        EXPECT_THROW(validate(other), Error);
    };
    refused([](DockInput& i) { i.rotations = 600; });
    refused([](DockInput& i) { i.rotation_file = "r.txt"; });
    refused([](DockInput& i) { i.symmetry.dihedral = true, i.restraints.files = {"r.tbl"}; });
    refused([](DockInput& i) { i.ligand_chains = {"B"}; });
    refused([](DockInput& i) { i.plddt = "receptor=50"; });
    refused([](DockInput& i) { i.keep = "ligand=HEM"; });
    refused([](DockInput& i) { i.symmetry.axes = 3; });
    refused([](DockInput& i) { i.symmetry.copies = 0; });
    refused([](DockInput& i) { i.symmetry.rings = 7; });
    refused([](DockInput& i) { i.symmetry.dihedral = true, i.consensus.refine = 0; });
    refused([](DockInput& i) { i.symmetry.dihedral = true, i.membrane.slab = "-15,15"; });
    refused([](DockInput& i) { i.symmetry.dihedral = true, i.symmetry.rings = 0; });
}

TEST(RingAxes, CoverAllDirections) {
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    const auto axes = spiral_axes(2000);
    double farthest = 0;
    for (int i = 0; i < 2000; ++i) {
        Vec3 v{normal(random), normal(random), normal(random)};
        v = (1 / norm(v)) * v;
        double nearest = 0;
        for (const Vec3& axis : axes) nearest = std::max(nearest, std::abs(dot(v, axis)));
        farthest = std::max(farthest, std::acos(std::min(nearest, 1.0)));
    }
    // A hexagonal lattice of as many axes has holes of 2 degrees.
    EXPECT_LT(farthest * 180 / 3.14159265, 3.1);
}

TEST(RingAxes, RotationsHaveTheAngleAndTurnWithTheSeed) {
    const Quaternion turn{0.5, -0.5, 0.5, 0.5};
    const RotationSet set = ring_rotations(5, 40), turned = ring_rotations(5, 40, turn);
    ASSERT_EQ(set.size(), 40);
    for (std::int64_t i = 0; i < set.size(); ++i) {
        EXPECT_NEAR(set[i].w, std::cos(3.14159265358979 / 5), 1e-12);
        EXPECT_NEAR(set[i].length(), 1, 1e-12);
        const Vec3 moved = turn.matrix() * kernels::axis_of(set[i]);
        EXPECT_LT(norm(moved - kernels::axis_of(turned[i])), 1e-12);
    }
}

/// A protein docked to itself.
/// Terms of any placement by the definition.
Terms plain_terms(const Homomer& h, const RigidPose& pose) {
    Terms terms{};
    const int n = h.frame.n;
    for (std::size_t a = 0; a < h.protein.size(); ++a) {
        const Vec3 at = pose.rotation.matrix() * (h.protein.positions[a] - h.frame.ligand_center) +
                        pose.translation - h.frame.receptor_center;
        const long i[3] = {std::lround(at.x / h.frame.spacing), std::lround(at.y / h.frame.spacing),
                           std::lround(at.z / h.frame.spacing)};
        bool inside = true;
        for (const long step : i) inside = inside && step > n / 2 - n && step <= n / 2;
        if (!inside) continue;
        const std::size_t point = ((i[0] + n) % n * n + (i[1] + n) % n) * n + (i[2] + n) % n;
        for (const auto& channel : h.problem.channels)
            terms[channel.term] += static_cast<double>(channel.receptor[point]) * channel.ligand[a];
    }
    return terms;
}

TEST(RingTerms, AreTheSumsOverAllPairsAndListsAreClosedAndSorted) {
    for (const int copies : {2, 3, 4, 5}) {
        const Homomer h(copies);
        const RotationSet rotations = ring_rotations(copies, 12);
        const PlacedTerms terms(h.problem, h.frame);
        PoseList list{h.input.sets.front(), {}};
        for (std::int64_t r = 0; r < 12; ++r) {
            Pose pose;
            pose.rotation = r;
            pose.translation = h.frame.receptor_center + Vec3{10.0 - r, 8, 1.5 * r - 9};
            list.poses.push_back(pose);
        }
        std::vector<PoseList> lists{list};
        close_rings(lists, terms, h.ring, rotations);
        for (std::size_t i = 0; i < 12; ++i) {
            const Pose& pose = lists[0].poses[i];
            const RigidPose next{rotations[pose.rotation], pose.translation};
            const auto last = kernels::ring_copy(next, h.ring, copies);
            EXPECT_LT(norm(last.translation - h.ring.center), 1e-9);
            Terms expected = plain_terms(h, next);
            if (copies >= 4) {
                const Terms other = plain_terms(h, kernels::ring_copy(next, h.ring, 2));
                for (int t = 0; t < term_count; ++t)
                    expected[t] += (copies == 4 ? 0.5 : 1) * other[t];
            }
            for (int t = 0; t < term_count; ++t)
                EXPECT_NEAR(pose.terms[t], expected[t], 1e-9 * (1 + std::abs(expected[t])));
            double score = 0;
            for (int t = 0; t < term_count; ++t) score += lists[0].set.weights[t] * pose.terms[t];
            EXPECT_NEAR(pose.score, score, 1e-9 * (1 + std::abs(score)));
            EXPECT_LE(lists[0].poses[i > 0 ? i - 1 : 0].score, pose.score);
        }
    }
}

TEST(RingDistance, IsTheRmsdOfBothNeighborsEitherWayRound) {
    std::mt19937 random(4);
    std::normal_distribution<double> normal;
    std::vector<Vec3> points;
    for (int i = 0; i < 30; ++i) points.push_back({9 * normal(random), 5 * normal(random), 2});
    const Ring ring{5, {3, 1, -2}};
    const RingDistance distance(points, ring);
    const auto neighbors = [&](const RigidPose& next, bool swapped) {
        std::vector<Vec3> placed;
        for (const bool first : {true, false}) {
            const RigidPose p =
                first != swapped ? next : kernels::ring_copy(next, ring, ring.copies - 1);
            for (const Vec3& x : points) placed.push_back(p.rotation.matrix() * x + p.translation);
        }
        return placed;
    };
    const RotationSet set = ring_rotations(5, 6);
    for (int a = 0; a < 6; ++a)
        for (int b = 0; b < 6; ++b) {
            const RigidPose one = kernels::closed({set[a], {15, 2.0 * a, 3}}, ring),
                            other = kernels::closed({set[b], {12, 3, 1.0 * b}}, ring);
            const double expected =
                std::min(plain_rmsd(neighbors(one, false), neighbors(other, false)),
                         plain_rmsd(neighbors(one, false), neighbors(other, true)));
            EXPECT_NEAR(std::sqrt(mean_square(distance(one), distance(other))), expected, 1e-6);
            const auto reversed = distance(kernels::previous_copy(other, ring));
            EXPECT_NEAR(mean_square(reversed, distance(other)), 0, 1e-9);
        }
}

}  // namespace
}  // namespace tessera::docking
