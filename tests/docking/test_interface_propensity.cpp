#include "docking/result/interface_propensity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace tessera::docking {
namespace {

/// The places of the ligand in each pose.
using Poses = std::vector<std::vector<kernels::RigidPose>>;

/// Three atoms in each residue, anywhere in a box of this width.
io::Structure random_structure(int residues, double width, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> place(-width / 2, width / 2);
    io::Structure structure;
    for (int i = 0; i < 3 * residues; ++i) {
        io::AtomRecord atom;
        atom.residue_index = i / 3;
        atom.position = {place(random), place(random), place(random)};
        structure.atoms.push_back(atom);
    }
    return structure;
}

/// By all pairs of atoms.
InterfacePropensity plain_propensity(const Partners& partners, Vec3 center, const Poses& poses,
                                     int residues) {
    const auto count = static_cast<std::size_t>(residues);
    InterfacePropensity counts{std::vector<std::int64_t>(count), std::vector<std::int64_t>(count)};
    for (const auto& pose : poses) {
        std::vector<bool> receptor(count), ligand(count);
        for (const auto& place : pose)
            for (const auto& a : partners.receptor.atoms)
                for (const auto& b : partners.ligand.atoms) {
                    const Vec3 moved =
                        place.rotation.matrix() * (b.position - center) + place.translation;
                    if (norm(moved - a.position) >= 5) continue;
                    receptor[static_cast<std::size_t>(a.residue_index)] = true;
                    ligand[static_cast<std::size_t>(b.residue_index)] = true;
                }
        for (std::size_t i = 0; i < count; ++i) {
            counts.receptor[i] += receptor[i] ? 1 : 0;
            counts.ligand[i] += ligand[i] ? 1 : 0;
        }
    }
    return counts;
}

TEST(InterfacePropensity, EqualsAllPairsOfAtoms) {
    const Partners partners{random_structure(60, 40, 1), random_structure(60, 30, 2)};
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    Poses poses;
    for (int i = 0; i < 12; ++i) {
        Quaternion q{normal(random), normal(random), normal(random), normal(random)};
        const double length = q.length();
        q = {q.w / length, q.x / length, q.y / length, q.z / length};
        if (i % 3 == 0) poses.emplace_back();  // with three places, as one that stands for a ring
        poses.back().push_back(
            {q, {15 * normal(random), 15 * normal(random), 15 * normal(random)}});
    }
    const Vec3 center{1, -2, 3};
    const auto expected = plain_propensity(partners, center, poses, 60);
    const auto found = interface_propensity(partners, center, poses);
    EXPECT_EQ(found.receptor, expected.receptor);
    EXPECT_EQ(found.ligand, expected.ligand);
    std::int64_t contacts = 0;
    for (const std::int64_t count : found.receptor) contacts += count;
    EXPECT_GT(contacts, 0);
}

TEST(InterfacePropensity, AtomsMayLieFarApart) {
    Partners partners{random_structure(60, 40, 1), random_structure(60, 30, 2)};
    partners.receptor.atoms[7].position = {-9e4, 1e5, 3};
    partners.receptor.atoms[90].position = {9e4, -1e5, -1e5};
    const Poses poses{{{{}, {2, 1, 0}}}, {{{}, {-9e4, 1e5, 0}}}};
    const auto expected = plain_propensity(partners, {}, poses, 60);
    const auto found = interface_propensity(partners, {}, poses);
    EXPECT_EQ(found.receptor, expected.receptor);
    EXPECT_EQ(found.ligand, expected.ligand);
    EXPECT_GT(found.receptor[2], 0);
}

TEST(InterfacePropensity, FiveAngstromIsNoContact) {
    Partners partners{random_structure(1, 0, 1), random_structure(1, 0, 1)};
    const Poses poses{{{{}, {5, 0, 0}}},
                      {{{}, {0, -4.999, 0}}, {{}, {1, 0, 0}}},
                      {{{}, {-3, -3, 2.6}}},
                      {{{}, {1e5, 1e5, 1e5}}}};
    const auto found = interface_propensity(partners, {0, 0, 0}, poses);
    EXPECT_EQ(found.receptor, std::vector<std::int64_t>{2});
    EXPECT_EQ(found.ligand, std::vector<std::int64_t>{2});
}

}  // namespace
}  // namespace tessera::docking
