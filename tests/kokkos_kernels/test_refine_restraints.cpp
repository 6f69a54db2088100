// Distance restraints in the refinement: energy, forces, and where poses go.
#include <gtest/gtest.h>

#include <cstring>

#include "core/error.hpp"
#include "kokkos_kernels/docking/refine.hpp"
#include "refine_pair.hpp"

namespace tessera::kernels {
namespace {

using testing::backend;
using testing::brute_force_terms;
using testing::moved_pose;
using testing::random_pair;
using testing::random_poses;
using testing::weighted;

/// Atoms `begin` to `end` of a partner.
std::vector<Vec3> atoms_of(const std::vector<RefineAtom>& atoms, int begin, int end) {
    std::vector<Vec3> positions;
    for (int i = begin; i < end; ++i)
        positions.push_back(atoms[static_cast<std::size_t>(i)].position);
    return positions;
}

/// Single atoms, one against many, and many against many; too far, too near, and satisfied.
RefineProblem restrained_pair() {
    RefineProblem problem = random_pair(600, 120, 8);
    const auto add = [&](double lower, double upper, int receptor, int ligand) {
        problem.restraints.push_back({lower, upper, atoms_of(problem.receptor, 20, 20 + receptor),
                                      atoms_of(problem.ligand, 50, 50 + ligand)});
    };
    add(0, 5, 1, 1);
    add(40, 50, 1, 1);
    add(0, 3, 7, 61);
    add(0, 100, 5, 5);
    add(1, 2, 90, 3);
    problem.parameters.restraints_weight = 300;
    problem.parameters.restraints_softness = 3;
    return problem;
}

double effective_distance(const RefineRestraint& restraint, const RigidPose& pose) {
    double sum = 0;
    const Matrix3 rotation = pose.rotation.matrix();
    for (const Vec3& b : restraint.ligand)
        for (const Vec3& a : restraint.receptor)
            sum += std::pow(norm(rotation * b + pose.translation - a), -6);
    return std::pow(sum, -1.0 / 6);
}

/// docs/method/docking-restraints.md word by word.
double brute_force_energy(const RefineProblem& problem, const RigidPose& pose) {
    const RefineParameters& p = problem.parameters;
    double energy = weighted(p.weights, brute_force_terms(problem, pose));
    for (const RefineRestraint& one : problem.restraints) {
        const double r = effective_distance(one, pose);
        const double outside = std::max({0.0, r - one.upper, one.lower - r});
        const double softness = p.restraints_softness;
        energy += p.restraints_weight / static_cast<double>(problem.restraints.size()) * outside *
                  outside / (outside * outside + softness * softness);
    }
    return energy;
}

TEST(RefineRestraints, EnergyAndForcesAreThoseOfTheDoubleSums) {
    const RefineProblem problem = restrained_pair();
    const auto poses = random_poses(3, 9);
    const auto forces = make_pose_refinement(backend(), problem)->forces(poses);
    constexpr double h = 1e-4;
    for (std::size_t i = 0; i < poses.size(); ++i) {
        const auto energy = [&](Vec3 turn, Vec3 shift) {
            return brute_force_energy(problem, moved_pose(poses[i], turn, shift));
        };
        EXPECT_NEAR(forces[i].energy, energy({}, {}), 0.05 + 2e-5 * std::abs(forces[i].energy));
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

/// Two atoms each, without any other energy.
RefineProblem two_restraints(double weight) {
    RefineProblem problem = random_pair(30, 20, 4);
    for (auto* atoms : {&problem.receptor, &problem.ligand})
        for (RefineAtom& atom : *atoms) atom.charge = 0;
    RefineWeights& w = problem.parameters.weights;
    w = {};
    w.clash = w.buried_clash = w.contact = w.electrostatics = w.pair = 0;
    problem.restraints = {{0, 19, {{0, 0, 0}}, {{1, 0, 0}}}, {0, 25, {{0, 0, 0}}, {{-1, 2, 0}}}};
    problem.parameters.restraints_weight = weight;
    return problem;
}

TEST(RefineRestraints, APoseIsPulledIntoTheBounds) {
    const RefineProblem problem = two_restraints(10);
    const RigidPose start{{1, 0, 0, 0}, {20, 0, 0}};  // distances 21 and 19.1
    const RefinedPose refined = make_pose_refinement(backend(), problem)->refine({&start, 1})[0];
    EXPECT_GT(refined.start_energy, 2);
    EXPECT_LT(refined.energy, 0.01);
    EXPECT_LT(effective_distance(problem.restraints[0], refined.pose), 19.1);
}

TEST(RefineRestraints, AWrongRestraintPullsLessTheFurtherItIs) {
    double before = 0;
    for (const double distance : {24.0, 30.0, 40.0, 80.0}) {
        const RigidPose start{{1, 0, 0, 0}, {distance, 0, 0}};
        RefineProblem problem = two_restraints(10);
        problem.restraints.pop_back();
        const auto forces = make_pose_refinement(backend(), problem)->forces({&start, 1})[0];
        EXPECT_GT(forces.shift_gradient.x, 0);
        if (before > 0) {
            EXPECT_LT(forces.shift_gradient.x, before) << distance;
        }
        before = forces.shift_gradient.x;
    }
}

TEST(RefineRestraints, WithoutWeightNothingChanges) {
    RefineProblem problem = restrained_pair();
    problem.parameters.restraints_weight = 0;
    RefineProblem free = problem;
    free.restraints.clear();
    const auto poses = random_poses(5, 3);
    const auto a = make_pose_refinement(backend(), problem)->refine(poses);
    const auto b = make_pose_refinement(backend(), free)->refine(poses);
    EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(RefinedPose)), 0);
}

TEST(RefineRestraints, ARingIsPulledAndStaysClosed) {
    RefineProblem problem = two_restraints(10);
    problem.restraints = {{0, 17, {{0, 0, 0}}, {{1, 0, 0}}}};
    problem.ring = {2, {0, 0, 0}};
    // Half a turn about z puts the ligand's atom at (19, 0, 0), 2 A too far.
    const RigidPose start{{0, 0, 0, 1}, {20, 0, 0}};
    const RefinedPose refined = make_pose_refinement(backend(), problem)->refine({&start, 1})[0];
    EXPECT_NEAR(refined.start_energy, 10 * 4 / (4 + 4), 1e-4);
    EXPECT_LT(refined.energy, 0.01);
    EXPECT_LT(effective_distance(problem.restraints[0], refined.pose), 17.1);
    const Vec3 axis{refined.pose.rotation.x, refined.pose.rotation.y, refined.pose.rotation.z};
    EXPECT_NEAR(refined.pose.rotation.w, 0, 1e-9);
    EXPECT_NEAR(dot(axis, refined.pose.translation), 0, 1e-9);
}

TEST(RefineRestraints, WithoutWeightARingIsRefinedAsBefore) {
    RefineProblem problem = restrained_pair();
    problem.ring = {3, {}};
    RefineProblem free = problem, weightless = problem;
    free.restraints.clear();
    weightless.parameters.restraints_weight = 0;
    const auto poses = random_poses(5, 3);
    const auto a = make_pose_refinement(backend(), weightless)->refine(poses);
    const auto b = make_pose_refinement(backend(), free)->refine(poses);
    const auto pulled = make_pose_refinement(backend(), problem)->refine(poses);
    EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(RefinedPose)), 0);
    EXPECT_NE(std::memcmp(a.data(), pulled.data(), a.size() * sizeof(RefinedPose)), 0);
}

TEST(RefineRestraints, ARestraintWithoutAtomsIsRefused) {
    RefineProblem problem = restrained_pair();
    problem.restraints[1].ligand.clear();
    EXPECT_THROW(make_pose_refinement(backend(), problem), Error);
}

}  // namespace
}  // namespace tessera::kernels
