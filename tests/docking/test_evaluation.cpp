#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "docking/evaluation/evaluation.hpp"
#include "support/message_of.hpp"

namespace {

using tessera::Quaternion;
using tessera::Vec3;
using tessera::docking::capri_class;
using tessera::docking::Evaluation;
using tessera::docking::PoseQuality;
using tessera::io::AtomRecord;
using tessera::io::Structure;
using tessera::test::message_of;

const Quaternion unturned{1, 0, 0, 0};

/// A residue of five atoms around `at`.
void add_residue(Structure& structure, const std::string& chain, int number,
                 const std::string& name, Vec3 at) {
    const std::array<std::pair<const char*, Vec3>, 5> atoms{{{"N", {-1.2, 0.3, 0}},
                                                             {"CA", {0, 0, 0}},
                                                             {"C", {1.3, 0.6, 0}},
                                                             {"O", {1.5, 1.8, 0}},
                                                             {"CB", {0.1, -1.4, 0.5}}}};
    for (const auto& [atom, offset] : atoms) {
        AtomRecord record;
        record.name = atom;
        record.residue = name;
        record.chain = chain;
        record.residue_number = number;
        record.element = std::string(1, atom[0]);
        record.position = at + offset;
        structure.atoms.push_back(record);
    }
}

constexpr std::array<const char*, 4> sequence{"ALA", "SER", "THR", "VAL"};

/// Four residues in a bent row.
Structure strand(const std::string& chain, Vec3 at, int first_number = 1) {
    Structure structure;
    for (int i = 0; i < 4; ++i)
        add_residue(structure, chain, first_number + i, sequence[static_cast<std::size_t>(i)],
                    at + Vec3{3.8 * i, 0.9 * i * i, 0});
    return structure;
}

Structure joined(const Structure& a, const Structure& b) {
    Structure both = a;
    both.atoms.insert(both.atoms.end(), b.atoms.begin(), b.atoms.end());
    return both;
}

/// Two equal strands 4.5 A apart along z: all residues are interface.
struct TinyComplex {
    Structure receptor = strand("A", {0, 0, 0});
    Structure ligand = strand("B", {0, 0, 4.5});
    Structure reference = joined(receptor, ligand);
};

double closest(const Structure& a, int i, const Structure& b, int j, Vec3 shift) {
    double best = 1e30;
    for (const AtomRecord& p : a.atoms)
        for (const AtomRecord& q : b.atoms)
            if (p.residue_number == i && q.residue_number == j)
                best = std::min(best, norm(p.position - q.position - shift));
    return best;
}

TEST(Evaluation, NativePoseIsPerfect) {
    const TinyComplex c;
    const PoseQuality q = Evaluation(c.receptor, c.ligand, c.reference)(unturned, {}, {});
    EXPECT_NEAR(q.ligand_rmsd, 0, 1e-12);
    EXPECT_NEAR(q.interface_rmsd, 0, 1e-6);  // square root of a difference of equal numbers
    EXPECT_NEAR(q.ligand_interface_ca_rmsd, 0, 1e-12);
    EXPECT_DOUBLE_EQ(q.fnat, 1);
    EXPECT_NEAR(q.dockq, 1, 1e-9);
    EXPECT_EQ(capri_class(q), 3);
}

TEST(Evaluation, LigandPulledAwayAlongTheAxis) {
    // Both partners have the same atoms and their centroids lie on the z axis, so that the best
    // superposition of a shift d along z does not turn: interface RMSD = d sqrt(n n) / 2n = d / 2.
    const TinyComplex c;
    const Evaluation evaluation(c.receptor, c.ligand, c.reference);
    for (const double d : {0.3, 1.0, 2.0, 7.0, 60.0}) {
        const PoseQuality q = evaluation(unturned, {1, 2, 3}, {1, 2, 3 + d});
        EXPECT_NEAR(q.ligand_rmsd, d, 1e-12);
        EXPECT_NEAR(q.ligand_interface_ca_rmsd, d, 1e-12);
        EXPECT_NEAR(q.interface_rmsd, d / 2, 1e-9);
        int native = 0, found = 0;
        for (int i = 1; i <= 4; ++i)
            for (int j = 1; j <= 4; ++j) {
                if (closest(c.receptor, i, c.ligand, j, {}) > 5) continue;
                ++native;
                if (closest(c.receptor, i, c.ligand, j, {0, 0, d}) <= 5) ++found;
            }
        ASSERT_GE(native, 4);
        EXPECT_DOUBLE_EQ(q.fnat, static_cast<double>(found) / native) << d;
        const double expected =
            (q.fnat + 1 / (1 + d * d / 9) + 1 / (1 + d * d / 72.25)) / 3;  // (d/2/1.5)^2, (d/8.5)^2
        EXPECT_NEAR(q.dockq, expected, 1e-9);
    }
}

TEST(Evaluation, PoseConventionIsTurnAboutTheCenterThenTranslate) {
    // The ligand file is the native ligand turned by 90 degrees about z through (1, 2, 3) and then
    // shifted; the pose that undoes it is exact.
    TinyComplex c;
    const double h = std::sqrt(0.5);
    const Quaternion turn{h, 0, 0, h}, back = turn.conjugate();
    const Vec3 pivot{1, 2, 3}, shift{30, -20, 10};
    for (AtomRecord& atom : c.ligand.atoms)
        atom.position = turn.matrix() * (atom.position - pivot) + pivot + shift;
    const Evaluation evaluation(c.receptor, c.ligand, c.reference);
    EXPECT_NEAR(evaluation(back, pivot + shift, pivot).ligand_rmsd, 0, 1e-9);
    EXPECT_NEAR(evaluation(back, pivot + shift, pivot + Vec3{0, 3, 4}).ligand_rmsd, 5, 1e-9);
}

TEST(Evaluation, FrameOfTheReferenceDoesNotMatter) {
    TinyComplex c;
    const Quaternion turn{0.5, 0.5, 0.5, -0.5};
    for (AtomRecord& atom : c.reference.atoms)
        atom.position = turn.matrix() * atom.position + Vec3{100, 50, -70};
    const PoseQuality q = Evaluation(c.receptor, c.ligand, c.reference)(unturned, {}, {0, 3, 4});
    EXPECT_NEAR(q.ligand_rmsd, 5, 1e-9);
    EXPECT_NEAR(q.ligand_interface_ca_rmsd, 5, 1e-9);
}

TEST(Evaluation, MissingAtomsAndResiduesAndMutations) {
    TinyComplex c;
    auto& atoms = c.ligand.atoms;
    std::erase_if(atoms, [](const AtomRecord& a) {
        return a.residue_number == 4 || (a.residue_number == 2 && a.name == "O");
    });
    for (AtomRecord& atom : c.receptor.atoms)
        if (atom.residue_number == 3) atom.residue = "SER";
    const Evaluation evaluation(c.receptor, c.ligand, c.reference);
    const PoseQuality q = evaluation(unturned, {}, {0, 0, 2});
    EXPECT_NEAR(q.ligand_rmsd, 2, 1e-12);
    const PoseQuality native = evaluation(unturned, {}, {});
    EXPECT_NEAR(native.interface_rmsd, 0, 1e-6);
    int all = 0,
        lost = 0;  // contacts of the missing residue 4 (and of the missing O) cannot be found
    for (int i = 1; i <= 4; ++i)
        for (int j = 1; j <= 4; ++j) {
            if (closest(c.receptor, i, strand("B", {0, 0, 4.5}), j, {}) > 5) continue;
            ++all;
            if (closest(c.receptor, i, c.ligand, j, {}) > 5) ++lost;
        }
    ASSERT_GT(lost, 0);
    EXPECT_DOUBLE_EQ(native.fnat, static_cast<double>(all - lost) / all);
    EXPECT_NE(evaluation.matched().find("75 % identical"), std::string::npos)
        << evaluation.matched();
}

TEST(Evaluation, OtherChainNamesAndNumbersAreFoundBySequence) {
    const TinyComplex c;
    Structure reference;
    // The ligand's twin comes first, so that names, numbers and order all mislead.
    const std::array<const char*, 6> ligand_sequence{"TRP", "LYS", "PHE", "ASP", "GLY", "HIS"};
    Structure ligand;
    for (int i = 0; i < 6; ++i) {
        const Vec3 at{3.8 * i, 0.9 * i * i, 4.5};
        const std::string name = ligand_sequence[static_cast<std::size_t>(i)];
        add_residue(ligand, "A", 10 + i, name, at);
        if (i != 2) add_residue(reference, "X", 301 + i, name, at);
    }
    reference = joined(reference, strand("Y", {0, 0, 0}, 77));
    const Evaluation evaluation(c.receptor, ligand, reference);
    EXPECT_NEAR(evaluation(unturned, {}, {0, 0, 3}).ligand_rmsd, 3, 1e-12);
    EXPECT_DOUBLE_EQ(evaluation(unturned, {}, {}).fnat, 1);
    EXPECT_NE(evaluation.matched().find("receptor A -> Y 4 residues"), std::string::npos)
        << evaluation.matched();
    EXPECT_NE(evaluation.matched().find("ligand A -> X 5 residues (100 % identical, by sequence)"),
              std::string::npos)
        << evaluation.matched();
}

TEST(Evaluation, NumbersTellWhichOfTwoEqualNeighboursIsMissing) {
    const TinyComplex c;
    const std::array<const char*, 6> ligand_sequence{"TRP", "LYS", "LYS", "PHE", "ASP", "HIS"};
    for (const int missing : {1, 2}) {
        Structure ligand, reference = strand("Y", {0, 0, 0});
        for (int i = 0; i < 6; ++i) {
            const Vec3 at{3.8 * i, 0.9 * i * i, 4.5};
            const std::string name = ligand_sequence[static_cast<std::size_t>(i)];
            add_residue(ligand, "A", 10 + i, name, at);
            if (i != missing) add_residue(reference, "X", 10 + i, name, at);
        }
        const Evaluation evaluation(c.receptor, ligand, reference);
        EXPECT_NEAR(evaluation(unturned, {}, {0, 0, 3}).ligand_rmsd, 3, 1e-12) << missing;
        EXPECT_NE(
            evaluation.matched().find("ligand A -> X 5 residues (100 % identical, by number)"),
            std::string::npos)
            << evaluation.matched();
    }
}

TEST(Evaluation, NumbersThatShiftNearTheEndDoNotMispairResidues) {
    // The ligand's file counts an inserted residue, and the reference does not. Its last residues
    // therefore have the numbers of their neighbours, but 17 of 19 common numbers are right.
    const TinyComplex c;
    const std::array<const char*, 5> ligand_sequence{"TRP", "LYS", "PHE", "ASP", "HIS"};
    Structure ligand, reference = strand("Y", {0, 0, 0});
    for (int i = 0; i < 20; ++i) {
        const Vec3 at{3.8 * i, 0.05 * i * i, 4.5};
        const std::string name = ligand_sequence[static_cast<std::size_t>(i % 5)];
        add_residue(ligand, "B", i < 17 ? i : i + 1, name, at);
        add_residue(reference, "B", i, name, at);
    }
    const Evaluation evaluation(c.receptor, ligand, reference);
    EXPECT_NEAR(evaluation(unturned, {}, {0, 0, 3}).ligand_rmsd, 3, 1e-12);
    EXPECT_NE(evaluation.matched().find("ligand B -> B 20 residues (100 % identical, by sequence)"),
              std::string::npos)
        << evaluation.matched();
}

TEST(Evaluation, TwinChainsGoToDifferentPartnersAndUsersChoose) {
    // Receptor and ligand are copies in files that both call their chain A.
    const Structure receptor = strand("A", {0, 0, 0}), ligand = strand("A", {0, 0, 4.5});
    const Structure reference = joined(strand("A", {0, 0, 0}), strand("B", {0, 0, 4.5}));
    EXPECT_NEAR(Evaluation(receptor, ligand, reference)(unturned, {}, {}).ligand_rmsd, 0, 1e-9);
    // With the chains exchanged the reference ligand stands below the receptor.
    EXPECT_NEAR(Evaluation(receptor, ligand, reference, {"B"}, {"A"})(unturned, {}, {}).ligand_rmsd,
                9, 1e-9);
    EXPECT_NEAR(Evaluation(receptor, ligand, reference, {"B"})(unturned, {}, {}).ligand_rmsd, 9,
                1e-9);
}

TEST(Evaluation, ErrorsNameTheChains) {
    const TinyComplex c;
    Structure stranger;
    for (int i = 0; i < 5; ++i) add_residue(stranger, "Q", i, "TRP", {4.0 * i, 0, 0});
    const std::string unmatched =
        message_of([&] { Evaluation(c.receptor, stranger, c.reference); });
    EXPECT_NE(unmatched.find("ligand"), std::string::npos) << unmatched;
    EXPECT_NE(unmatched.find("Q (5 residues)"), std::string::npos) << unmatched;
    EXPECT_NE(unmatched.find("B (4 residues)"), std::string::npos) << unmatched;
    EXPECT_NE(message_of([&] {
                  Evaluation(c.receptor, c.ligand, c.reference, {"Z"});
              }).find("chain Z not found"),
              std::string::npos);
    EXPECT_NE(message_of([&] {
                  Evaluation(c.receptor, c.ligand, c.reference, {"A"}, {"A"});
              }).find("named twice"),
              std::string::npos);
    const Structure apart = joined(c.receptor, strand("B", {0, 0, 40}));
    EXPECT_NE(message_of([&] { Evaluation(c.receptor, c.ligand, apart); }).find("no interface"),
              std::string::npos);
}

TEST(CapriClass, Thresholds) {
    const auto rated = [](double fnat, double ligand_rmsd, double interface_rmsd) {
        PoseQuality q;
        q.fnat = fnat;
        q.ligand_rmsd = ligand_rmsd;
        q.interface_rmsd = interface_rmsd;
        return capri_class(q);
    };
    EXPECT_EQ(rated(0.5, 1.0, 9), 3);
    EXPECT_EQ(rated(0.5, 9, 1.0), 3);
    EXPECT_EQ(rated(0.49, 0.5, 0.5), 2);
    EXPECT_EQ(rated(0.9, 4, 1.5), 2);
    EXPECT_EQ(rated(0.3, 5, 9), 2);
    EXPECT_EQ(rated(0.3, 9, 2), 2);
    EXPECT_EQ(rated(0.29, 5, 2), 1);
    EXPECT_EQ(rated(0.1, 10, 9), 1);
    EXPECT_EQ(rated(0.1, 20, 4), 1);
    EXPECT_EQ(rated(0.8, 10.1, 4.1), 0);
    EXPECT_EQ(rated(0.09, 1, 1), 0);
}

}  // namespace
