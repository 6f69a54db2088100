#include "docking/restraints/distance_restraints.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "restrained_partners.hpp"

namespace tessera::docking {
namespace {

using kernels::RigidPose;

Quaternion random_quaternion(std::mt19937& random) {
    std::normal_distribution<double> normal;
    Quaternion q{normal(random), normal(random), normal(random), normal(random)};
    const double length = q.length();
    return {q.w / length, q.x / length, q.y / length, q.z / length};
}

RestrainedResidue random_residue(std::mt19937& random, double spread) {
    std::uniform_real_distribution<double> place(-spread, spread), near(-3, 3);
    const Vec3 middle{place(random), place(random), place(random)};
    RestrainedResidue residue;
    for (int i = 0; i < 6; ++i)
        residue.atoms.push_back(middle + Vec3{near(random), near(random), near(random)});
    for (const Vec3& p : residue.atoms) residue.center = residue.center + (1.0 / 6) * p;
    for (const Vec3& p : residue.atoms)
        residue.radius = std::max(residue.radius, norm(p - residue.center));
    return residue;
}

DistanceRestraint random_restraint(std::mt19937& random, double lower, double upper) {
    DistanceRestraint restraint;
    restraint.lower = lower;
    restraint.upper = upper;
    for (int i = 0; i < 2; ++i) restraint.receptor.push_back(random_residue(random, 12));
    for (int i = 0; i < 4; ++i) restraint.ligand.push_back(random_residue(random, 12));
    return restraint;
}

/// The definition, written in another way: with the rotation q v q* and std::pow.
double plain_effective_distance(const DistanceRestraint& restraint, const RigidPose& pose) {
    double sum = 0;
    for (const auto& a : restraint.receptor)
        for (const Vec3& p : a.atoms)
            for (const auto& b : restraint.ligand)
                for (const Vec3& x : b.atoms) {
                    const Quaternion q = pose.rotation;
                    const Quaternion v = q * Quaternion{0, x.x, x.y, x.z} * q.conjugate();
                    const Vec3 at = Vec3{v.x, v.y, v.z} + pose.translation;
                    sum += std::pow(std::hypot(at.x - p.x, at.y - p.y, at.z - p.z), -6);
                }
    return std::pow(sum, -1.0 / 6);
}

DistanceRestraints single(const DistanceRestraint& restraint, double tolerance) {
    DistanceRestraints restraints;
    restraints.groups = {{"", 1, 1}};
    restraints.restraints = {restraint};
    restraints.tolerance = tolerance;
    return restraints;
}

/// Whether the effective distance lies between these bounds.
bool within(double lower, double upper, DistanceRestraint restraint, const RigidPose& pose) {
    restraint.lower = lower;
    restraint.upper = upper;
    return single(restraint, 0).are_satisfied(pose);
}

TEST(DistanceRestraints, EffectiveDistanceAgainstBruteForce) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> shift(-20, 20);
    int satisfied = 0;
    for (int i = 0; i < 2000; ++i) {
        const double lower = i % 3 == 0 ? 6 : 0;
        const auto restraint = random_restraint(random, lower, 8);
        const RigidPose pose{random_quaternion(random),
                             {shift(random), shift(random), shift(random)}};
        const double plain = plain_effective_distance(restraint, pose);
        const bool expected = plain <= 8 + 1.5 && plain >= lower - 1.5;
        EXPECT_EQ(single(restraint, 1.5).are_satisfied(pose), expected) << plain;
        EXPECT_TRUE(within(plain * (1 - 1e-9), plain * (1 + 1e-9), restraint, pose)) << plain;
        EXPECT_FALSE(within(0, plain * (1 - 1e-9), restraint, pose)) << plain;
        satisfied += expected ? 1 : 0;
    }
    EXPECT_GT(satisfied, 200);
    EXPECT_LT(satisfied, 1800);
}

/// Ca of A1 at the origin, and CA of the ligand's residue 11 where a translation puts it.
DistanceRestraints plain_pair(const std::string& bounds, const RestraintOptions& options) {
    return testing::restraints_from(
        "receptor,ligand,lower,upper\nchain A and resid 1 and name CA,resid 11 and name CA," +
            bounds + "\n",
        "in.csv", options);
}

RigidPose with_first_ca_at(double x) {
    return {{1, 0, 0, 0}, Vec3{x, 0, 0} - (Vec3{0, 0, 20} - testing::TwoPartners{}.ligand_center)};
}

TEST(DistanceRestraints, OnePairHasItsPlainDistanceAndTheBoundsBelongToTheRange) {
    RestraintOptions options;
    options.tolerance = 0.5;
    const auto restraints = plain_pair("5,10", options);
    EXPECT_TRUE(
        within(7.25 - 1e-12, 7.25 + 1e-12, restraints.restraints[0], with_first_ca_at(7.25)));
    for (const auto& [x, expected] :
         {std::pair(4.49, false), {4.51, true}, {7, true}, {10.49, true}, {10.51, false}}) {
        EXPECT_EQ(restraints.are_satisfied(with_first_ca_at(x)), expected) << x;
        const Satisfaction found = restraints.count(with_first_ca_at(x));
        EXPECT_EQ(found.satisfied, expected ? 1 : 0) << x;
        EXPECT_EQ(found.is_enough, expected) << x;
    }
}

TEST(DistanceRestraints, ClosenessIsTheLogarithmOfTheBoundOverTheDistance) {
    RestraintOptions options;
    options.tolerance = 2;
    const auto restraints = plain_pair("0,25", options);
    for (const auto& [x, expected] : {std::pair(3.0, std::log(25.0 / 8)),
                                      {8, std::log(25.0 / 8)},
                                      {12.5, std::log(2)},
                                      {24, std::log(25.0 / 24)},
                                      {26, 0},     // within the tolerance
                                      {28, 0}}) {  // not satisfied
        EXPECT_NEAR(restraints.count(with_first_ca_at(x)).closeness, expected, 1e-12) << x;
    }
    EXPECT_EQ(plain_pair("0,8", options).count(with_first_ca_at(3)).closeness, 0);
}

TEST(DistanceRestraints, ClosenessOfManyAtomsTakesTheEffectiveDistance) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> shift(-40, 40);
    double all = 0;
    for (int i = 0; i < 200; ++i) {
        const auto restraint = random_restraint(random, 0, 30);
        const RigidPose pose{random_quaternion(random),
                             {shift(random), shift(random), shift(random)}};
        const double plain = plain_effective_distance(restraint, pose);
        const double expected = plain > 30 ? 0 : std::min(std::log(30 / plain), std::log(30.0 / 8));
        EXPECT_NEAR(single(restraint, 1).count(pose).closeness, expected, 1e-10) << plain;
        all += expected;
    }
    EXPECT_GT(all, 10);
}

TEST(DistanceRestraints, KOfNInEveryGroup) {
    std::mt19937 random(8);
    std::uniform_real_distribution<double> shift(-20, 20);
    DistanceRestraints restraints;
    restraints.tolerance = 1;
    restraints.groups = {{"a", 5, 3}, {"b", 4, 2}};
    for (int i = 0; i < 9; ++i) restraints.restraints.push_back(random_restraint(random, 0, 6));
    int enough = 0;
    for (int i = 0; i < 2000; ++i) {
        const RigidPose pose{random_quaternion(random),
                             {shift(random), shift(random), shift(random)}};
        int in_group[2] = {0, 0};
        for (int r = 0; r < 9; ++r)
            if (plain_effective_distance(restraints.restraints[r], pose) <= 7)
                ++in_group[r < 5 ? 0 : 1];
        const bool expected = in_group[0] >= 3 && in_group[1] >= 2;
        const Satisfaction found = restraints.count(pose);
        EXPECT_EQ(found.satisfied, in_group[0] + in_group[1]);
        EXPECT_EQ(found.is_enough, expected);
        EXPECT_EQ(restraints.are_satisfied(pose), expected);
        enough += expected ? 1 : 0;
    }
    EXPECT_GT(enough, 100);
    EXPECT_LT(enough, 1900);
}

}  // namespace
}  // namespace tessera::docking
