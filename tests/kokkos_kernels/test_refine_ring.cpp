// Rings of equal copies: their geometry, and their refinement.
#include <gtest/gtest.h>

#include <cmath>

#include "kokkos_kernels/docking/refine.hpp"
#include "kokkos_kernels/docking/ring_pose.hpp"
#include "refine_pair.hpp"

namespace tessera::kernels {
namespace {

using testing::backend;
using testing::brute_force_terms;
using testing::place;
using testing::random_poses;
using testing::random_protein;
using testing::weighted;

/// Rings whose neighbours lie this far apart, Angstrom.
std::vector<RigidPose> random_rings(const Ring& ring, int count, double distance) {
    std::vector<RigidPose> poses;
    for (const RigidPose& pose : random_poses(count, 11)) {
        const RigidPose next = closed({pose.rotation, ring.center + pose.translation}, ring);
        const Vec3 shift = next.translation - ring.center;
        poses.push_back({next.rotation, ring.center + (distance / norm(shift)) * shift});
    }
    return poses;
}

void expect_closed(const RigidPose& pose, const Ring& ring) {
    const RigidPose last = ring_copy(pose, ring, ring.copies);
    for (const Vec3 x : {Vec3{0, 0, 0}, Vec3{30, -20, 10}, Vec3{-5, 40, 25}})
        EXPECT_LT(norm(place(last, x) - (x + ring.center)), 1e-9) << "C" << ring.copies;
}

TEST(RingPose, TheNearestClosedPoseCloses) {
    for (const int copies : {2, 3, 4, 5, 7, 12}) {
        const Ring ring{copies, {4, -7, 2}};
        for (const RigidPose& pose : random_poses(5, 3)) {
            const RigidPose next = closed(pose, ring);
            expect_closed(next, ring);
            const RigidPose back = previous_copy(next, ring),
                            last = ring_copy(next, ring, copies - 1);
            EXPECT_LT(norm(place(back, {1, 2, 3}) - place(last, {1, 2, 3})), 1e-9);
        }
    }
}

TEST(RefineRing, StaysClosedAndGoesDownhill) {
    for (const int copies : {2, 3, 4, 6}) {
        const RefineProblem problem = random_protein(copies, 160);
        const auto starts = random_rings(problem.ring, 6, 15);
        const auto refined = make_pose_refinement(backend(), problem)->refine(starts);
        double gain = 0;
        for (std::size_t i = 0; i < starts.size(); ++i) {
            expect_closed(refined[i].pose, problem.ring);
            EXPECT_LE(refined[i].energy, refined[i].start_energy);
            gain += refined[i].start_energy - refined[i].energy;
            const double energy =
                weighted(problem.parameters.weights, brute_force_terms(problem, refined[i].pose));
            EXPECT_NEAR(refined[i].energy, energy, 0.05 + 1e-4 * std::abs(energy));
        }
        EXPECT_GT(gain, 10) << "C" << copies;
    }
}

// No step that keeps the ring closed lowers the energy: the gradient is right.
TEST(RefineRing, EndsInAMinimumOverRings) {
    RefineProblem problem = random_protein(3, 160);
    problem.parameters.evaluations = 400;
    problem.parameters.largest_shift = 20;
    problem.parameters.largest_turn = 4;
    const auto refinement = make_pose_refinement(backend(), problem);
    const auto refined = refinement->refine(random_rings(problem.ring, 4, 15));
    constexpr double step = 0.05;
    for (const RefinedPose& pose : refined) {
        const Vec3 axis = axis_of(pose.pose.rotation), shift = pose.pose.translation;
        for (const Vec3 way : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
            for (const double sign : {-step, step}) {
                const Vec3 tilted = axis + (sign / 15) * way;
                const RigidPose moved =
                    closed({pose.pose.rotation, shift + sign * way}, problem.ring);
                const RigidPose turned =
                    closed({ring_rotation((1 / norm(tilted)) * tilted, 3), shift}, problem.ring);
                for (const RigidPose& other : {moved, turned})
                    EXPECT_GT(
                        weighted(problem.parameters.weights, brute_force_terms(problem, other)),
                        pose.energy - 0.05);
            }
    }
}

TEST(RefineRing, TermsAreThoseOfAllPairsForEachPairOfNeighbors) {
    for (const int copies : {3, 4, 5}) {
        RefineProblem problem = random_protein(copies, 160);
        problem.parameters.evaluations = 1;  // poses stay where they are
        const auto starts = random_rings(problem.ring, 3, 9);
        const auto refined = make_pose_refinement(backend(), problem)->refine(starts);
        for (std::size_t i = 0; i < starts.size(); ++i) {
            // The sum over all ordered pairs (0, k) counts each pair of neighbours twice.
            std::array<double, refine_term_count> sum{};
            for (int k = 1; k < copies; ++k) {
                const auto terms =
                    brute_force_terms(problem, ring_copy(starts[i], problem.ring, k));
                for (int t = 0; t < burial_term; ++t) sum[t] += 0.5 * terms[t];
            }
            for (int t = 0; t < burial_term; ++t)
                EXPECT_NEAR(refined[i].terms[t], sum[t], 1e-4 * (1 + std::abs(sum[t])))
                    << refine_term_names[t] << " C" << copies;
        }
    }
}

}  // namespace
}  // namespace tessera::kernels
