// Poses at the equivalent places of oligomers, whose chains are made here.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "docking/evaluation/equivalent_matches.hpp"
#include "docking/evaluation/evaluation.hpp"
#include "docking/random_chain.hpp"

namespace {

using tessera::Quaternion;
using tessera::Vec3;
using tessera::docking::capri_class;
using tessera::docking::chains_of;
using tessera::docking::equivalent_matches;
using tessera::docking::Evaluation;
using tessera::docking::match_complex;
using tessera::docking::PoseQuality;
using tessera::docking::testing::chain;
using tessera::io::AtomRecord;
using tessera::io::Structure;

const Quaternion not_turned{1, 0, 0, 0};

Quaternion about_z(double turns) {
    const double half = turns * std::numbers::pi;
    return {std::cos(half), 0, 0, std::sin(half)};
}

Structure moved(Structure structure, const Quaternion& turn, Vec3 shift, const std::string& name) {
    for (AtomRecord& atom : structure.atoms) {
        atom.position = turn.matrix() * atom.position + shift;
        atom.chain = name;
    }
    return structure;
}

Structure joined(std::initializer_list<Structure> parts) {
    Structure all;
    for (const Structure& part : parts)
        all.atoms.insert(all.atoms.end(), part.atoms.begin(), part.atoms.end());
    return all;
}

/// A ring of three equal chains about the z axis, and a ligand that touches the first.
struct Ring {
    Structure first = chain("A", 40, {14, 0, 0}, 1);
    Structure ligand = chain("L", 25, {30, 3, 5}, 2);
    Structure receptor = joined(
        {first, moved(first, about_z(1.0 / 3), {}, "B"), moved(first, about_z(2.0 / 3), {}, "C")});
    Structure reference = joined({receptor, ligand});

    Evaluation judge() const { return {receptor, ligand, reference}; }
};

void expect_native(const PoseQuality& q, int copy) {
    EXPECT_NEAR(q.ligand_rmsd, 0, 1e-9);
    EXPECT_NEAR(q.ligand_interface_ca_rmsd, 0, 1e-9);
    EXPECT_NEAR(q.interface_rmsd, 0, 1e-5);
    EXPECT_DOUBLE_EQ(q.fnat, 1);
    EXPECT_NEAR(q.dockq, 1, 1e-9);
    EXPECT_EQ(q.copy, copy);
}

TEST(EquivalentCopies, EveryPlaceOnARingIsNative) {
    const Evaluation judge = Ring().judge();
    ASSERT_EQ(judge.copies(),
              (std::vector<std::string>{"receptor A -> A, B -> B, C -> C; ligand L -> L",
                                        "receptor A -> C, B -> A, C -> B; ligand L -> L",
                                        "receptor A -> B, B -> C, C -> A; ligand L -> L"}));
    EXPECT_NE(judge.matched().find("3 equivalent places"), std::string::npos) << judge.matched();
    expect_native(judge(not_turned, {}, {}), 0);
    expect_native(judge(about_z(1.0 / 3), {}, {}), 1);
    expect_native(judge(about_z(2.0 / 3), {}, {}), 2);
    EXPECT_EQ(capri_class(judge(about_z(0.5), {}, {})), 0);
}

TEST(EquivalentCopies, PosesNearAPlaceHaveTheValuesOfThatPlace) {
    const Evaluation judge = Ring().judge();
    const PoseQuality here = judge(not_turned, {}, {1, 2, -1.5});
    const Vec3 shift = about_z(1.0 / 3).matrix() * Vec3{1, 2, -1.5};
    const PoseQuality there = judge(about_z(1.0 / 3), {}, shift);
    EXPECT_NEAR(there.ligand_rmsd, here.ligand_rmsd, 1e-9);
    EXPECT_NEAR(there.interface_rmsd, here.interface_rmsd, 1e-9);
    EXPECT_NEAR(there.fnat, here.fnat, 1e-12);
    EXPECT_NEAR(there.dockq, here.dockq, 1e-9);
    EXPECT_EQ(there.copy, 1);
}

TEST(EquivalentCopies, ReferenceWithOneCopyOfTheReceptor) {
    const Ring ring;
    const Evaluation judge(ring.receptor, ring.ligand, joined({ring.first, ring.ligand}));
    ASSERT_EQ(judge.copies().size(), 3U);
    for (const int copy : {0, 1, 2}) expect_native(judge(about_z(copy / 3.0), {}, {}), copy);
}

TEST(EquivalentCopies, LigandIsTheOligomer) {
    const Ring ring;
    const Evaluation judge(ring.ligand, ring.receptor, ring.reference);
    ASSERT_EQ(judge.copies().size(), 3U);
    // Turning the ring about its axis by a third brings another of its chains to the receptor.
    for (const int thirds : {0, 1, 2})
        EXPECT_NEAR(judge(about_z(thirds / 3.0), {}, {}).dockq, 1, 1e-9) << thirds;
}

TEST(EquivalentCopies, FewMutationsAndMissingEndsDoNotMatter) {
    Ring ring;
    std::erase_if(ring.receptor.atoms,
                  [](const AtomRecord& a) { return a.chain == "B" && a.residue_number <= 3; });
    for (AtomRecord& atom : ring.receptor.atoms)
        if (atom.chain == "C" && atom.residue_number == 20) atom.residue = "TRP";
    ASSERT_EQ(ring.judge().copies().size(), 3U);
    EXPECT_NEAR(ring.judge()(about_z(1.0 / 3), {}, {}).ligand_rmsd, 0, 1e-6);
}

TEST(EquivalentCopies, OtherSequencesAndOtherArrangementsAreNotEquivalent) {
    Ring ring;
    for (AtomRecord& atom : ring.receptor.atoms)
        if (atom.chain != "A" && atom.residue_number % 5 == 0) atom.residue = "TRP";
    EXPECT_EQ(ring.judge().copies().size(), 1U) << "20 % of the residues differ";

    // Two equal chains side by side: no motion exchanges them.
    const Structure beside = moved(ring.first, {0.5, 0.5, 0.5, 0.5}, {-25, 0, 3}, "B");
    const Structure pair = joined({ring.first, beside});
    const Evaluation judge(pair, ring.ligand, joined({pair, ring.ligand}));
    EXPECT_EQ(judge.copies().size(), 1U);
    EXPECT_EQ(judge.matched().find("equivalent"), std::string::npos) << judge.matched();
}

TEST(EquivalentCopies, ReferenceHoldsTheComplexTwice) {
    const Ring ring;
    const Quaternion turn = about_z(0.2);
    const Vec3 shift{90, 0, 40};
    const Structure second =
        joined({moved(ring.first, turn, shift, "X"), moved(ring.ligand, turn, shift, "Y")});
    // In the second copy the ligand is off by 2 A.
    Structure reference = joined({ring.first, ring.ligand, second});
    for (AtomRecord& atom : reference.atoms)
        if (atom.chain == "Y") atom.position = atom.position + turn.matrix() * Vec3{0, 2, 0};
    const Evaluation judge(ring.first, ring.ligand, reference);
    ASSERT_EQ(judge.copies().size(), 2U);
    EXPECT_EQ(judge.copies()[1], "receptor A -> X; ligand L -> Y");
    EXPECT_NEAR(judge(not_turned, {}, {}).ligand_rmsd, 0, 1e-9);
    EXPECT_EQ(judge(not_turned, {}, {0, 0.2, 0}).copy, 0);
    // Both copies give the class acceptable or better here; the nearer one wins within a class.
    const PoseQuality q = judge(not_turned, {}, {0, 2, 0});
    EXPECT_NEAR(q.ligand_rmsd, 0, 1e-6);
    EXPECT_EQ(q.copy, 1);
    EXPECT_EQ(Evaluation(ring.first, ring.ligand, reference, {"A"}, {"L"}).copies().size(), 1U)
        << "chains that the user named are not exchanged for others";
}

TEST(EquivalentCopies, PartnersOfOneSequenceExchangeTheirRoles) {
    // Chain B binds with another side than chain A, so the two roles are different poses.
    const Structure a = chain("A", 40, {}, 1);
    const Quaternion turn{0.5, 0.5, 0.5, 0.5};
    const Vec3 shift{15, 2, 4};
    const Structure b = moved(a, turn, shift, "B");
    const Evaluation judge(a, a, joined({a, b}));
    ASSERT_EQ(judge.copies().size(), 2U);
    expect_native(judge(turn, {}, shift), 0);
    const Quaternion back = turn.conjugate();
    expect_native(judge(back, {}, -1.0 * (back.matrix() * shift)), 1);
}

TEST(EquivalentCopies, TheirNumberIsLimited) {
    const Ring ring;
    const auto receptor = chains_of(ring.receptor), ligand = chains_of(ring.ligand),
               reference = chains_of(ring.reference);
    const auto match = match_complex(receptor, ligand, reference, {}, {});
    EXPECT_EQ(equivalent_matches(match, receptor, ligand, reference, 64).size(), 3U);
    EXPECT_EQ(equivalent_matches(match, receptor, ligand, reference, 2).size(), 2U);
}

}  // namespace
