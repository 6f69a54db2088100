// Dihedral assemblies of equal copies: their search, their distances and their qualities.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/error.hpp"
#include "docking/evaluation/assembly_evaluation.hpp"
#include "docking/evaluation/rigid_distance.hpp"
#include "docking/homomer.hpp"
#include "docking/plain_rmsd.hpp"
#include "docking/random_chain.hpp"
#include "docking/search/two_folds.hpp"
#include "docking/setup/dock_choices.hpp"
#include "docking/synthetic_molecules.hpp"

namespace tessera::docking {
namespace {

using kernels::Assembly;
using kernels::RigidPose;
using kernels::Ring;
using testing::chain;
using testing::Homomer;

/// The same assembly with its ring run through in the other direction and its other ring from
/// copy `begin` on.
Assembly renamed(const Assembly& assembly, const Ring& ring, int begin, bool reversed) {
    const auto copies = kernels::further_copies(assembly.next, &assembly.opposite, ring);
    return {reversed ? kernels::previous_copy(assembly.next, ring) : assembly.next,
            copies[static_cast<std::size_t>(ring.copies - 1 + begin)]};
}

Assembly about(Vec3 axis, Vec3 two_fold, Vec3 center, const Ring& ring) {
    axis = (1 / norm(axis)) * axis;
    two_fold = two_fold - dot(two_fold, axis) * axis;
    return kernels::assembly_of({axis, (1 / norm(two_fold)) * two_fold, center}, ring);
}

TEST(AssemblyDistance, IsTheRmsdOfAllCopiesHoweverTheyAreNamed) {
    std::mt19937 random(4);
    std::normal_distribution<double> normal;
    std::vector<Vec3> points;
    for (int i = 0; i < 30; ++i) points.push_back({9 * normal(random), 5 * normal(random), 2});
    for (const int copies : {2, 3, 5}) {
        const Ring ring{copies, {3, 1, -2}};
        const AssemblyDistance distance(points, ring);
        const auto place = [&](const Assembly& a) { return distance(a.next, a.opposite); };
        const auto all_points = [&](const Assembly& a) {
            std::vector<Vec3> placed;
            for (const RigidPose& p : kernels::further_copies(a.next, &a.opposite, ring))
                for (const Vec3& x : points)
                    placed.push_back(p.rotation.matrix() * x + p.translation);
            return placed;
        };
        const Assembly one = about({0.2, 0.3, 1}, {1, 0.1, 0}, {14, 2, 8}, ring);
        const Assembly other = about({0.25, 0.3, 1}, {1, 0.2, 0}, {13, 3, 8}, ring);
        const double expected = plain_rmsd(all_points(one), all_points(other));
        EXPECT_GT(expected, 0.5);
        EXPECT_NEAR(std::sqrt(mean_square(place(one), place(other))), expected, 1e-6);
        for (int begin = 0; begin < copies; ++begin)
            for (const bool reversed : {false, true}) {
                const Assembly again = renamed(other, ring, begin, reversed);
                EXPECT_NEAR(mean_square(place(again), place(other)), 0, 1e-9) << copies;
                EXPECT_NEAR(std::sqrt(mean_square(place(one), place(again))), expected, 1e-6);
            }
        if (copies > 2) continue;
        const Assembly exchanged{other.opposite, other.next};
        EXPECT_NEAR(mean_square(place(exchanged), place(other)), 0, 1e-9);
    }
}

/// A protein docked to itself.
TEST(TwoFolds, AreMinimaOfTheEnergyOfAllPairs) {
    for (const int copies : {2, 3, 5}) {
        const Homomer h(copies, true);
        const PlacedTerms terms(h.problem, h.frame);
        const Terms& weights = h.input.sets.front().weights;
        const double radius = 10 / std::sin(3.14159265 / copies);
        const Vec3 center = h.ring.center + radius * Vec3{1, 0, 0};
        const Assembly ring = about({0, 0.2, 1}, {1, 0, 0}, center, h.ring);
        const auto found = find_two_folds(ring.next, h.ring, terms, h.problem.ligand, weights, 1.5);
        ASSERT_FALSE(found.empty()) << copies;
        ASSERT_LE(found.size(), two_folds_per_ring);
        const auto score_of = [&](const Assembly& a) {
            double score = 0;
            for (const auto& [pose, count] : kernels::counted_poses(a.next, &a.opposite, h.ring)) {
                const Terms own = terms(pose);
                for (int t = 0; t < term_count; ++t) score += count * weights[t] * own[t];
            }
            return score;
        };
        double last = -HUGE_VAL;
        for (const FoundAssembly& one : found) {
            EXPECT_NEAR(one.score, score_of(one.assembly), 1e-8 * (1 + std::abs(one.score)));
            double sum = 0;
            for (int t = 0; t < term_count; ++t) sum += weights[t] * one.terms[t];
            EXPECT_NEAR(one.score, sum, 1e-8 * (1 + std::abs(sum)));
            EXPECT_GE(one.score, last);
            last = one.score;
            // The ring stays as it is.
            const auto axes = kernels::axes_of(one.assembly, h.ring);
            EXPECT_LT(norm(axes.ring - kernels::axis_of(ring.next.rotation)), 1e-9);
            EXPECT_LT(norm(one.assembly.next.translation - ring.next.translation), 1e-9);
            EXPECT_NEAR(dot(axes.ring, axes.two_fold), 0, 1e-9);
        }
    }
}

/// Adds a copy of the protein.
void add(io::Structure& all, const io::Structure& protein, const RigidPose& pose, Vec3 center,
         const std::string& name) {
    for (io::AtomRecord atom : protein.atoms) {
        atom.position = pose.rotation.matrix() * (atom.position - center) + pose.translation;
        atom.chain = name;
        all.atoms.push_back(atom);
    }
}

TEST(AssemblyEvaluation, KnowsThatAllCopiesAreEqual) {
    for (const int copies : {2, 3}) {
        const Vec3 center{10, 2, 8};
        const Ring ring{copies, center};
        const io::Structure protein = chain("A", 40, center, 3);
        const Assembly native = about({0, 0, 1}, {1, 0.3, 0}, {0, 0, 0}, ring);
        io::Structure reference = protein;
        std::string name = "B";
        for (const RigidPose& copy : kernels::further_copies(native.next, &native.opposite, ring)) {
            add(reference, protein, copy, center, name);
            ++name[0];
        }
        // Another frame: the reference need not lie where the protein does.
        for (io::AtomRecord& atom : reference.atoms)
            atom.position = {5 - atom.position.y, atom.position.x + 7, atom.position.z};
        const AssemblyEvaluation judge(protein, reference, ring, {});
        for (int begin = 0; begin < copies; ++begin)
            for (const bool reversed : {false, true}) {
                const Assembly same = renamed(native, ring, begin, reversed);
                const PoseQuality q = judge(same.next, same.opposite);
                EXPECT_NEAR(q.dockq, 1, 1e-6);
                EXPECT_NEAR(q.fnat, 1, 1e-9);
                EXPECT_LT(q.ligand_rmsd, 1e-6);
            }
        // The ring alone is right.
        const Assembly half = about({0, 0, 1}, {1, 0.3, 0}, {0, 0, -12}, ring);
        const PoseQuality q = judge(half.next, half.opposite);
        EXPECT_GT(q.ligand_rmsd, 5);
        EXPECT_LT(q.dockq, 0.9);
        EXPECT_GT(q.dockq, 0.1);
        EXPECT_LT(q.fnat, 0.9);
    }
}

TEST(AssemblyEvaluation, NamesTheAnglesIfNoCopiesBelongTogether) {
    const Vec3 center{12, 3, 8};
    const io::Structure protein = chain("A", 40, center, 3);
    io::Structure reference = protein;
    add(reference, protein, {{std::sqrt(0.5), 0, 0, std::sqrt(0.5)}, {-3, 12, 8}}, center, "B");
    try {
        AssemblyEvaluation(protein, reference, Ring{3, center}, {});
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("turned by 90"), std::string::npos);
    }
}

}  // namespace
}  // namespace tessera::docking
