// Contacts of a pose, against all pairs, and what a table makes of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "docking/refinement/rescoring.hpp"
#include "random_refine_problem.hpp"

namespace tessera::docking {
namespace {

using testing::random_refine_problem;

/// A pose that lets the partners touch.
kernels::RigidPose touching_pose(double shift) {
    const double half = std::sqrt(0.5);
    return {{half, 0, half, 0}, {shift, 1, -2}};
}

std::vector<std::int32_t> counts_of_all_pairs(const kernels::RefineProblem& problem,
                                              const kernels::RigidPose& pose) {
    const std::size_t k = problem.types;
    std::vector<std::int32_t> counts(contact_shells * k * k, 0);
    for (const auto& b : problem.ligand) {
        const Vec3 p = pose.rotation.matrix() * b.position + pose.translation;
        for (const auto& a : problem.receptor) {
            const double r = norm(a.position - p);
            if (r >= 6) continue;
            const std::size_t shell = r < 4.5 ? 0 : 1;
            ++counts[(shell * k + std::min(a.type, b.type)) * k + std::max(a.type, b.type)];
        }
    }
    return counts;
}

TEST(ContactCounts, AreThoseOfAllPairs) {
    const auto problem = random_refine_problem();
    const ContactCounter counter(problem);
    for (const double shift : {0.0, 9.0, 14.0, 17.5, 60.0, -1e6}) {
        const auto pose = touching_pose(shift);
        EXPECT_EQ(counter.counts(pose), counts_of_all_pairs(problem, pose)) << shift;
    }
    const auto near = counter.counts(touching_pose(9));
    EXPECT_GT(*std::max_element(near.begin(), near.end()), 0);
}

TEST(ContactCounts, ReachAStrayAtomFarAway) {
    auto problem = random_refine_problem();
    problem.receptor.push_back(problem.receptor.front());
    problem.receptor.back().position = {3000, 0, 0};  // boxes grow
    const ContactCounter counter(problem);
    for (const double shift : {9.0, 2995.0}) {
        const auto pose = touching_pose(shift);
        EXPECT_EQ(counter.counts(pose), counts_of_all_pairs(problem, pose)) << shift;
    }
}

TEST(ContactCounts, EnergyIsTheTablesSum) {
    const auto problem = random_refine_problem();
    const ContactCounter counter(problem);
    const std::size_t k = problem.types;
    ContactTables tables;
    tables.types = problem.types;
    for (int s = 0; s < contact_shells; ++s)
        for (std::size_t a = 0; a < k; ++a)
            for (std::size_t b = 0; b < k; ++b)
                tables.shells[s].push_back(0.25 * static_cast<double>((s + 1) * (a + b + a * b)));
    const auto pose = touching_pose(9);
    const auto counts = counts_of_all_pairs(problem, pose);
    double expected = 0;
    for (int s = 0; s < contact_shells; ++s)
        for (std::size_t i = 0; i < k * k; ++i)
            expected += tables.shells[s][i] * counts[s * k * k + i];
    EXPECT_GT(expected, 0);
    EXPECT_DOUBLE_EQ(contact_energy(counter, tables, pose), expected);
}

TEST(ContactCounts, OfNoReceptorAreNone) {
    kernels::RefineProblem problem = random_refine_problem();
    problem.receptor.clear();
    for (const std::int32_t count : ContactCounter(problem).counts(touching_pose(0)))
        EXPECT_EQ(count, 0);
}

}  // namespace
}  // namespace tessera::docking
