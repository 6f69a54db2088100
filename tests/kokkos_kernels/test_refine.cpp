// The refinement of poses: energy, forces, minimiser, and that a planted complex is found again.
#include <gtest/gtest.h>

#include <cstring>

#include "core/error.hpp"
#include "kokkos_kernels/docking/refine.hpp"
#include "kokkos_kernels/docking/refine_terms.hpp"
#include "kokkos_kernels/docking/rigid_minimiser.hpp"
#include "refine_pair.hpp"

namespace tessera::kernels {
namespace {

using testing::backend;
using testing::brute_force_terms;
using testing::moved_pose;
using testing::random_pair;
using testing::random_poses;
using testing::weighted;

TEST(RefineTerms, DerivativesAreThoseOfTheForms) {
    const RefineProblem problem = random_pair(2, 2, 3);
    const PairForms<double> forms(problem.parameters);
    const std::vector<double> energies{0.3, -0.8, 0.1, 0.6};
    for (const double charge : {-0.7, 0.6})
        for (const double buried : {0.0, 1.0}) {
            const PairPartner<double> own{2.1, charge, buried, energies.data()};
            const auto energy = [&](double r2) {
                return forms.energy(r2, {1.9, 0.5, 0.0, 1}, own);
            };
            for (double r = 0.5; r < 10; r += 0.173) {
                const double r2 = r * r, h = 1e-5;
                const double slope = (energy(r2 + h).value - energy(r2 - h).value) / (2 * h);
                EXPECT_NEAR(energy(r2).by_r2, slope, 1e-5 * (1 + std::abs(slope))) << r;
            }
        }
}

TEST(Refine, EnergyAndTermsAreTheDoubleSums) {
    RefineProblem problem = random_pair(700, 150, 5);
    problem.parameters.evaluations = 1;  // poses stay where they are
    const auto poses = random_poses(6, 6);
    const auto refinement = make_pose_refinement(backend(), problem);
    const auto refined = refinement->refine(poses);
    const auto forces = refinement->forces(poses);
    for (std::size_t i = 0; i < poses.size(); ++i) {
        const auto expected = brute_force_terms(problem, poses[i]);
        const double energy = weighted(problem.parameters.weights, expected);
        ASSERT_GT(expected[contact_term], 100) << "the partners must meet";
        for (int k = 0; k < refine_term_count; ++k)
            EXPECT_NEAR(refined[i].terms[k], expected[k], 2e-5 * (1 + std::abs(expected[k])))
                << refine_term_names[k];
        EXPECT_NEAR(forces[i].energy, energy, 0.05 + 2e-5 * std::abs(energy));
        EXPECT_EQ(forces[i].energy, refined[i].start_energy);
        EXPECT_LT(norm(refined[i].pose.translation - poses[i].translation), 1e-12);
    }
}

TEST(Refine, ForcesAreFiniteDifferencesOfTheDoubleSums) {
    const RefineProblem problem = random_pair(600, 120, 8);
    const auto poses = random_poses(3, 9);
    const auto forces = make_pose_refinement(backend(), problem)->forces(poses);
    constexpr double h = 1e-4;
    for (std::size_t i = 0; i < poses.size(); ++i) {
        const auto energy = [&](Vec3 turn, Vec3 shift) {
            return weighted(problem.parameters.weights,
                            brute_force_terms(problem, moved_pose(poses[i], turn, shift)));
        };
        const Vec3 axes[3] = {{h, 0, 0}, {0, h, 0}, {0, 0, h}};
        const Vec3 shift = forces[i].shift_gradient, turn = forces[i].turn_gradient;
        const double by_shift[3] = {shift.x, shift.y, shift.z};
        const double by_turn[3] = {turn.x, turn.y, turn.z};
        for (int k = 0; k < 3; ++k) {
            const double s = (energy({}, axes[k]) - energy({}, -1.0 * axes[k])) / (2 * h);
            const double t = (energy(axes[k], {}) - energy(-1.0 * axes[k], {})) / (2 * h);
            EXPECT_NEAR(by_shift[k], s, 2e-4 * norm(shift));
            EXPECT_NEAR(by_turn[k], t, 2e-4 * norm(turn));
        }
    }
}

TEST(Refine, MovesDownhillWithinItsBounds) {
    RefineProblem problem = random_pair(600, 120, 12);
    problem.parameters.largest_shift = 1.5;
    problem.parameters.largest_turn = 0.1;
    const auto poses = random_poses(40, 13);
    const auto refined = make_pose_refinement(backend(), problem)->refine(poses);
    for (std::size_t i = 0; i < poses.size(); ++i) {
        EXPECT_LT(refined[i].energy, refined[i].start_energy);
        EXPECT_NEAR(
            refined[i].energy,
            weighted(problem.parameters.weights, brute_force_terms(problem, refined[i].pose)),
            0.05 + 2e-5 * std::abs(refined[i].energy));
        EXPECT_LE(norm(refined[i].pose.translation - poses[i].translation), 1.5 + 1e-9);
        const Quaternion turn = refined[i].pose.rotation * poses[i].rotation.conjugate();
        EXPECT_LE(2 * std::acos(std::min(1.0, std::abs(turn.w))), 0.1 + 1e-6);
        EXPECT_NEAR(refined[i].pose.rotation.length(), 1, 1e-12);
    }
}

TEST(Refine, SameBitsHoweverManyAtOnce) {
    const RefineProblem problem = random_pair(500, 100, 21);
    const auto poses = random_poses(30, 22);
    const auto together = make_pose_refinement(backend(), problem)->refine(poses);
    const auto refinement = make_pose_refinement(backend(), problem);
    for (std::size_t i = 0; i < poses.size(); ++i) {
        const auto alone = refinement->refine({&poses[i], 1});
        EXPECT_EQ(std::memcmp(&alone[0], &together[i], sizeof(RefinedPose)), 0) << i;
    }
}

/// A block of atoms with a square pit, and a plug that fits it.
RefineProblem lock_and_key() {
    RefineProblem problem;
    problem.types = 1;
    problem.pair_energies = {-0.5};
    constexpr double step = 3.7;
    for (int x = -4; x <= 4; ++x)
        for (int y = -4; y <= 4; ++y)
            for (int z = -4; z <= 0; ++z) {
                const bool pit = std::abs(x) <= 1 && std::abs(y) <= 1 && z >= -1;
                const Vec3 at{step * x, step * y, step * z};
                (pit ? problem.ligand : problem.receptor).push_back({at, 2, 0, 0, true});
            }
    return problem;
}

TEST(Refine, PlantedComplexIsFoundAgain) {
    RefineProblem problem = lock_and_key();
    problem.parameters.evaluations = 80;
    problem.parameters.largest_shift = 3;
    problem.parameters.largest_turn = 0.2;
    const auto refinement = make_pose_refinement(backend(), problem);
    const RigidPose planted = refinement->refine(std::vector<RigidPose>{{}})[0].pose;
    std::mt19937 random(31);
    std::normal_distribution<double> normal;
    std::vector<RigidPose> starts;
    for (int i = 0; i < 20; ++i) {
        const Vec3 turn{normal(random), normal(random), normal(random)};
        const Vec3 shift{normal(random), normal(random), normal(random)};
        starts.push_back(
            moved_pose(planted, (0.07 / norm(turn)) * turn, (0.8 / norm(shift)) * shift));
    }
    for (const RefinedPose& refined : refinement->refine(starts)) {
        EXPECT_LT(norm(refined.pose.translation - planted.translation), 0.1);
        const Quaternion left = refined.pose.rotation * planted.rotation.conjugate();
        EXPECT_LT(2 * std::acos(std::min(1.0, std::abs(left.w))), 0.02);
    }
}

TEST(Refine, RefusesWhatItCannotCompute) {
    RefineProblem problem = random_pair(5, 5, 1);
    problem.ligand[2].type = 4;
    EXPECT_THROW(make_pose_refinement(backend(), problem), Error);
    problem = random_pair(5, 5, 1);
    problem.receptor.clear();
    EXPECT_THROW(make_pose_refinement(backend(), problem), Error);
    problem = random_pair(5, 5, 1);
    problem.parameters.pair_end = problem.parameters.pair_full;
    EXPECT_THROW(make_pose_refinement(backend(), problem), Error);
}

TEST(RigidMinimiser, FindsTheMinimumOfALongValley) {
    RigidMinimiser minimiser;
    minimiser.begin(10, 10);
    const double target[6] = {1, -2, 0.5, 0.3, 1.1, -0.7};
    int evaluations = 0;
    for (; evaluations < 200 && !minimiser.done; ++evaluations) {
        double energy = 0, gradient[6];
        for (int i = 0; i < 6; ++i) {
            const double stiffness = std::pow(3.0, i), d = minimiser.trial[i] - target[i];
            energy += stiffness * d * d;
            gradient[i] = 2 * stiffness * d;
        }
        minimiser.advance(energy, gradient);
    }
    EXPECT_LT(evaluations, 60);
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(minimiser.best[i], target[i], 0.1) << i;
    EXPECT_LT(minimiser.best_energy, 0.02);
}

}  // namespace
}  // namespace tessera::kernels
