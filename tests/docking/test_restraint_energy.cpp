// What blocked, attracted and masked residues do to the terms and the score of a pose.
#include <gtest/gtest.h>

#include "energy_case.hpp"

namespace tessera::docking {
namespace {

using namespace testing;

/// Score of the balanced set.
double score_of(const Terms& terms) {
    const auto weights = default_coefficient_sets()[0].weights;
    double score = 0;
    for (int k = 0; k < term_count; ++k) score += weights[k] * terms[k];
    return score;
}

/// Two atoms 30 A apart on one partner, one on the other: the pose decides which is in contact.
struct RestraintCase {
    Case c = make_case(96, 1.0);
    Voxel at_first{-11, 0, 0}, at_second{19, 0, 0};

    explicit RestraintCase(bool two_on_receptor) {
        Molecule two = random_molecule(2, 0, {0, 0, 0}, 5),
                 one = random_molecule(1, 0, {0, 0, 0}, 6);
        two.positions = {{-15, 0, 0}, {15, 0, 0}};
        for (Molecule* molecule : {&two, &one}) {
            molecule->charges.assign(molecule->size(), 0.0);
            molecule->on_surface.assign(molecule->size(), true);
            molecule->types.assign(molecule->size(), 0);
            molecule->radii.assign(molecule->size(), 1.7);
        }
        c.receptor = two_on_receptor ? two : one;
        c.ligand = two_on_receptor ? one : two;
        c.frame.receptor_center = c.frame.ligand_center = {0, 0, 0};
        if (!two_on_receptor) {
            at_first = {15 + 4, 0, 0};
            at_second = {-15 + 4, 0, 0};
        }
    }

    double score(const kernels::CorrelationProblem& problem, Voxel translation) const {
        return score_of(grid_terms(problem, c, translation));
    }
};

TEST(Restraints, BlockedResiduesRaiseAndAttractedLowerTheScoreOnTheReceptor) {
    const RestraintCase r(true);
    const auto free = problem_of(r.c), blocked = problem_of(r.c, {{true, false}, {}}),
               attracted = problem_of(r.c, {{}, {true, false}});
    const double neutral = r.score(free, r.at_first);
    EXPECT_DOUBLE_EQ(neutral, r.score(free, r.at_second));
    EXPECT_GT(r.score(blocked, r.at_first), neutral + 1);
    EXPECT_DOUBLE_EQ(r.score(blocked, r.at_second), neutral);
    EXPECT_LT(r.score(attracted, r.at_first), neutral - 0.5);
    EXPECT_DOUBLE_EQ(r.score(attracted, r.at_second), neutral);
}

TEST(Restraints, BlockedResiduesRaiseAndAttractedLowerTheScoreOnTheLigand) {
    const RestraintCase r(false);
    const auto free = problem_of(r.c), blocked = problem_of(r.c, {}, {{true, false}, {}}),
               attracted = problem_of(r.c, {}, {{}, {true, false}});
    const double neutral = r.score(free, r.at_first);
    EXPECT_DOUBLE_EQ(neutral, r.score(free, r.at_second));
    EXPECT_GT(r.score(blocked, r.at_first), neutral + 1);
    EXPECT_DOUBLE_EQ(r.score(blocked, r.at_second), neutral);
    EXPECT_LT(r.score(attracted, r.at_first), neutral - 0.5);
    EXPECT_DOUBLE_EQ(r.score(attracted, r.at_second), neutral);
}

TEST(Restraints, MaskedAtomsAttractHalfAsMuchOnEitherPartner) {
    for (const bool two_on_receptor : {true, false}) {
        const RestraintCase r(two_on_receptor);
        const Restraints mask{{}, {}, {true, false}};
        const auto free = problem_of(r.c),
                   masked = two_on_receptor ? problem_of(r.c, mask) : problem_of(r.c, {}, mask);
        EXPECT_EQ(masked.channels.size(), free.channels.size()) << "no further transforms";
        const auto before = grid_terms(free, r.c, r.at_first),
                   after = grid_terms(masked, r.c, r.at_first);
        ASSERT_NE(before[1], 0);
        ASSERT_NE(before[3], 0);
        EXPECT_EQ(after[0], before[0]);
        EXPECT_DOUBLE_EQ(after[1], before[1] / 2);
        EXPECT_EQ(after[2], before[2]);
        EXPECT_NEAR(after[3], before[3] / 2, 1e-6 * std::abs(before[3]));
        EXPECT_EQ(grid_terms(masked, r.c, r.at_second), grid_terms(free, r.c, r.at_second));
    }
}

TEST(Restraints, AttractionDoesNotRewardClashes) {
    const RestraintCase r(true);
    const auto free = problem_of(r.c), attracted = problem_of(r.c, {{}, {true, false}});
    const Voxel on_top{-15, 0, 0};
    EXPECT_DOUBLE_EQ(r.score(attracted, on_top), r.score(free, on_top));
}

}  // namespace
}  // namespace tessera::docking
