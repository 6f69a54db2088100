// Dihedral assemblies: their geometry, and their refinement.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/error.hpp"
#include "kokkos_kernels/docking/assembly_pose.hpp"
#include "kokkos_kernels/docking/refine_assembly.hpp"
#include "refine_pair.hpp"

namespace tessera::kernels {
namespace {

using testing::backend;
using testing::brute_force_terms;
using testing::moved_pose;
using testing::place;
using testing::random_pair;
using testing::random_protein;
using testing::weighted;

/// Assemblies whose receptor lies `radius` from the axis of its ring and `height` above the
/// two-fold axes.
std::vector<Assembly> random_assemblies(const Ring& ring, int count, double radius, double height) {
    std::mt19937 random(9);
    std::normal_distribution<double> normal;
    const auto direction = [&] {
        const Vec3 v{normal(random), normal(random), normal(random)};
        return (1 / norm(v)) * v;
    };
    const auto across = [&](Vec3 axis) {
        const Vec3 v = cross(axis, direction());
        return (1 / norm(v)) * v;
    };
    std::vector<Assembly> assemblies;
    for (int i = 0; i < count; ++i) {
        const Vec3 axis = direction();
        const Vec3 center = ring.center - radius * across(axis) - height * axis;
        assemblies.push_back(assembly_of({axis, across(axis), center}, ring));
    }
    return assemblies;
}

/// The places of a point of every copy, the receptor first.
std::vector<Vec3> orbit(const Assembly& assembly, const Ring& ring, Vec3 x) {
    std::vector<Vec3> points{x + ring.center};
    for (const RigidPose& copy : further_copies(assembly.next, &assembly.opposite, ring))
        points.push_back(place(copy, x));
    return points;
}

/// Whether a motion of the whole assembly takes every copy of x to a copy of x.
void expect_closed(const Assembly& assembly, const Ring& ring) {
    const Vec3 x{5, -3, 2};
    const auto points = orbit(assembly, ring, x);
    ASSERT_EQ(points.size(), 2U * ring.copies);
    for (const RigidPose& motion : {assembly.next, assembly.opposite})
        for (const Vec3& point : points) {
            const Vec3 moved = place(motion, point - ring.center);
            double nearest = HUGE_VAL;
            for (const Vec3& other : points) nearest = std::min(nearest, norm(moved - other));
            EXPECT_LT(nearest, 1e-9) << "D" << ring.copies;
        }
}

TEST(AssemblyPose, AxesGiveTheCopiesAndTheCopiesGiveTheAxes) {
    for (const int copies : {2, 3, 4, 5, 12}) {
        const Ring ring{copies, {4, -7, 2}};
        for (const Assembly& assembly : random_assemblies(ring, 5, 15, 6)) {
            expect_closed(assembly, ring);
            const AssemblyAxes axes = axes_of(assembly, ring);
            EXPECT_NEAR(dot(axes.ring, axes.two_fold), 0, 1e-12);
            EXPECT_NEAR(dot(ring.center - axes.center, axes.ring), 6, 1e-9);
            EXPECT_NEAR(norm(ring.center - axes.center), std::hypot(15, 6), 1e-9);
            const Assembly again = assembly_of(axes, ring);
            for (const Vec3 x : {Vec3{0, 0, 0}, Vec3{30, -20, 10}}) {
                EXPECT_LT(norm(place(again.next, x) - place(assembly.next, x)), 1e-9);
                EXPECT_LT(norm(place(again.opposite, x) - place(assembly.opposite, x)), 1e-9);
            }
        }
    }
}

/// The terms of all pairs of copies, divided by the pairs of neighbours in rings: over all ordered
/// pairs with the receptor, which count each pair of neighbours twice, or once if n = 2.
std::array<double, refine_term_count> all_terms(const RefineProblem& problem,
                                                const Assembly& assembly) {
    std::array<double, refine_term_count> sum{};
    for (const RigidPose& copy : further_copies(assembly.next, &assembly.opposite, problem.ring)) {
        const auto terms = brute_force_terms(problem, copy);
        for (int t = 0; t < refine_term_count; ++t)
            sum[t] += (problem.ring.copies == 2 ? 1 : 0.5) * terms[t];
    }
    return sum;
}

std::vector<RigidPose> poses_of(const std::vector<Assembly>& assemblies) {
    std::vector<RigidPose> poses;
    for (const Assembly& one : assemblies) {
        poses.push_back(one.next);
        poses.push_back(one.opposite);
    }
    return poses;
}

TEST(RefineAssembly, StaysClosedGoesDownhillAndScoresAllPairs) {
    for (const int copies : {2, 3, 4}) {
        const RefineProblem problem = random_protein(copies, 120);
        const double radius = 8 / std::sin(3.14159265 / copies);
        const auto starts = random_assemblies(problem.ring, 5, radius, 8);
        const auto refined = make_assembly_refinement(backend(), problem)->refine(poses_of(starts));
        ASSERT_EQ(refined.size(), 2 * starts.size());
        double gain = 0;
        for (std::size_t i = 0; i < starts.size(); ++i) {
            const Assembly found{refined[2 * i].pose, refined[2 * i + 1].pose};
            expect_closed(found, problem.ring);
            const auto& w = problem.parameters.weights;
            const double before = weighted(w, all_terms(problem, starts[i]));
            EXPECT_NEAR(refined[2 * i].start_energy, before, 0.1 + 2e-4 * std::abs(before));
            const auto terms = all_terms(problem, found);
            EXPECT_NEAR(refined[2 * i].energy, weighted(w, terms),
                        0.1 + 2e-4 * std::abs(refined[2 * i].energy));
            EXPECT_LE(refined[2 * i].energy, refined[2 * i].start_energy);
            gain += refined[2 * i].start_energy - refined[2 * i].energy;
            for (int t = 0; t < burial_term; ++t)
                EXPECT_NEAR(refined[2 * i].terms[t], terms[t], 1e-3 * (1 + std::abs(terms[t])))
                    << refine_term_names[t] << " D" << copies;
        }
        EXPECT_GT(gain, 10) << "D" << copies;
    }
}

// No motion of a copy between its axes lowers the energy: the gradient is right.
TEST(RefineAssembly, EndsInAMinimumOverAssemblies) {
    for (const int copies : {2, 3}) {
        RefineProblem problem = random_protein(copies, 120);
        problem.parameters.evaluations = 400;
        problem.parameters.largest_shift = 20;
        problem.parameters.largest_turn = 4;
        const Ring& ring = problem.ring;
        const auto starts = random_assemblies(ring, 3, 9, 8);
        const auto refined = make_assembly_refinement(backend(), problem)->refine(poses_of(starts));
        for (std::size_t i = 0; i < starts.size(); ++i) {
            const AssemblyAxes axes = axes_of({refined[2 * i].pose, refined[2 * i + 1].pose}, ring);
            // The axes move instead of the copy.
            const auto energy_of = [&](Vec3 turn, Vec3 shift) {
                const Matrix3 m = moved_pose({}, turn, {}).rotation.matrix();
                const Vec3 center = ring.center + m * (axes.center - ring.center) + shift;
                return weighted(
                    problem.parameters.weights,
                    all_terms(problem,
                              assembly_of({m * axes.ring, m * axes.two_fold, center}, ring)));
            };
            constexpr double step = 0.05;
            for (const Vec3 way : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
                for (const double sign : {-step, step}) {
                    EXPECT_GT(energy_of((sign / 15) * way, {}), refined[2 * i].energy - 0.05);
                    EXPECT_GT(energy_of({}, sign * way), refined[2 * i].energy - 0.05);
                }
        }
    }
}

TEST(RefineAssembly, NeedsARing) {
    EXPECT_THROW(make_assembly_refinement(backend(), random_pair(20, 20, 1)), Error);
}

}  // namespace
}  // namespace tessera::kernels
