#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/octahedral_group.hpp"
#include "docking/evaluation.hpp"
#include "docking/residue_matching.hpp"
#include "docking/superposition.hpp"

namespace {

using tessera::Quaternion;
using tessera::Vec3;
using tessera::docking::capri_class;
using tessera::docking::Evaluation;
using tessera::docking::PoseQuality;
using tessera::io::AtomRecord;
using tessera::io::Structure;

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

std::string message_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const tessera::Error& error) {
        return error.what();
    }
    return "no error";
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

TEST(Superposition, RecoversARigidMotionAndNeverReflects) {
    std::mt19937 generator(3);
    std::normal_distribution<double> normal;
    std::vector<Vec3> fixed, moving, mirrored;
    const Quaternion q{0.1, -0.7, 0.5, 0.5};
    for (int i = 0; i < 20; ++i) {
        const Vec3 p{10 * normal(generator), 10 * normal(generator), 10 * normal(generator)};
        moving.push_back(p);
        fixed.push_back(q.matrix() * p + Vec3{5, 6, 7});
        mirrored.push_back({-p.x, p.y, p.z});
    }
    const auto motion = tessera::docking::superpose(moving, fixed);
    for (std::size_t i = 0; i < moving.size(); ++i)
        EXPECT_NEAR(norm(motion(moving[i]) - fixed[i]), 0, 1e-12);
    EXPECT_NEAR(tessera::docking::superposed_rmsd(moving, fixed), 0, 1e-6);

    // A mirror image cannot be reached; the best proper motion is what no small change improves.
    const auto best = tessera::docking::superpose(moving, mirrored);
    const auto rmsd_after = [&](const Quaternion& change) {
        std::vector<Vec3> moved;
        for (const Vec3& p : moving) moved.push_back(change.matrix() * best(p));
        Vec3 offset;
        for (std::size_t i = 0; i < moved.size(); ++i) offset = offset + (mirrored[i] - moved[i]);
        for (Vec3& p : moved) p = p + (1.0 / 20) * offset;
        return tessera::docking::rmsd(moved, mirrored);
    };
    const double least = rmsd_after(unturned);
    EXPECT_GT(least, 1);
    EXPECT_NEAR(tessera::docking::superposed_rmsd(moving, mirrored), least, 1e-9);
    for (int i = 0; i < 200; ++i) {
        const double size = i % 2 ? 0.01 : 1.0;
        Quaternion change{1, size * normal(generator), size * normal(generator),
                          size * normal(generator)};
        const double length = change.length();
        change = {change.w / length, change.x / length, change.y / length, change.z / length};
        EXPECT_GE(rmsd_after(change), least - 1e-9);
    }
}

TEST(AlignSequences, GapsWhereTheyBelong) {
    using Names = std::vector<std::string>;
    using Pairs = tessera::docking::IndexPairs;
    using tessera::docking::align_sequences;
    EXPECT_EQ(align_sequences(Names{"A", "B", "C"}, Names{"A", "B", "C"}),
              (Pairs{{0, 0}, {1, 1}, {2, 2}}));
    // Free end gaps: the short one lies inside the long one.
    EXPECT_EQ(align_sequences(Names{"C", "D", "E"}, Names{"A", "B", "C", "D", "E", "F"}),
              (Pairs{{0, 2}, {1, 3}, {2, 4}}));
    // One gap of two (-10.5) beats mismatches: six identical pairs are worth 30.
    EXPECT_EQ(align_sequences(Names{"A", "B", "C", "X", "Y", "D", "E", "F"},
                              Names{"A", "B", "C", "D", "E", "F"}),
              (Pairs{{0, 0}, {1, 1}, {2, 2}, {5, 3}, {6, 4}, {7, 5}}));
    // A substitution (-4) is cheaper than two gaps (-20).
    EXPECT_EQ(align_sequences(Names{"A", "B", "X", "D", "E"}, Names{"A", "B", "C", "D", "E"}),
              (Pairs{{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}}));
    EXPECT_TRUE(align_sequences(Names{}, Names{"A"}).empty());
}

std::string complexes_folder() {
    if (const char* folder = std::getenv("TESSERA_SHARED_DATA"))
        return std::string(folder) + "/complexes/";
    return std::string(TESSERA_SOURCE_DIR) + "/../shared/data/complexes/";
}

struct KnownPose {
    const char* complex;
    Quaternion rotation;  ///< about the origin of the ligand file
    Vec3 translation;
    double ligand_rmsd, interface_rmsd, fnat, dockq, ligand_interface_ca_rmsd;
};

/// Figures of the program DockQ 2 (with --no_align: residues by number) for models written with three
/// decimals; the last column from a few lines of NumPy.
const std::array<KnownPose, 6> known_poses{{
    {"1AVX",
     {0.4926471619, -0.3875228670, 0.1692979219, 0.7605675612},
     {68.574933, -68.520206, -1.472076},
     2.2250,
     1.2981,
     36 / 54.0,
     0.7248,
     2.3224},
    {"1AVX",
     {0.3295885234, -0.2031251162, 0.4711869556, 0.7925240976},
     {-2.745993, -109.274932, 34.038182},
     9.8516,
     5.1345,
     6 / 54.0,
     0.2055,
     9.7539},
    {"1PPE",
     {0.7510736373, -0.0572958982, -0.4303189922, 0.4974245031},
     {-9.815353, 49.436006, -94.559189},
     0.5084,
     0.4649,
     60 / 70.0,
     0.9220,
     0.4486},
    {"1PPE",
     {0.5175081496, -0.0713301191, -0.8211156741, 0.2299268990},
     {61.975332, 88.080853, -29.304653},
     6.9204,
     3.2254,
     8 / 70.0,
     0.2978,
     7.1252},
    {"1JTG",
     {-0.3836257646, 0.6411147654, 0.6645293421, -0.0142787906},
     {9.168301, 91.068089, 116.296909},
     11.9447,
     4.9651,
     36 / 86.0,
     0.2795,
     10.1995},
    {"2SNI",
     {0.1860470722, 0.7201626843, -0.1776936359, -0.6443424298},
     {74.759462, 18.025946, -79.828205},
     8.9644,
     3.0836,
     41 / 68.0,
     0.4226,
     6.8657},
}};

TEST(Evaluation, UnboundComplexesAgreeWithDockQ) {
    if (!std::filesystem::exists(complexes_folder() + "1PPE"))
        GTEST_SKIP() << "no complexes in " << complexes_folder()
                     << "; set TESSERA_SHARED_DATA to the folder that holds them";
    for (const KnownPose& pose : known_poses) {
        const std::string folder = complexes_folder() + pose.complex;
        const Evaluation evaluation(tessera::io::read_structure(folder + "/receptor.pdb"),
                                    tessera::io::read_structure(folder + "/ligand_shuffled.pdb"),
                                    tessera::io::read_structure(folder + "/reference.pdb"));
        const PoseQuality q = evaluation(pose.rotation, {}, pose.translation);
        SCOPED_TRACE(std::string(pose.complex) + ": " + evaluation.matched());
        EXPECT_NEAR(q.ligand_rmsd, pose.ligand_rmsd, 2e-4);
        EXPECT_NEAR(q.interface_rmsd, pose.interface_rmsd, 2e-4);
        EXPECT_NEAR(q.fnat, pose.fnat, 1e-9);
        EXPECT_NEAR(q.dockq, pose.dockq, 2e-4);
        EXPECT_NEAR(q.ligand_interface_ca_rmsd, pose.ligand_interface_ca_rmsd, 2e-4);
    }
}

TEST(Evaluation, SeveralChainsAPartner) {
    const std::string folder = complexes_folder() + "1BD2_bound";
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no complex in " << folder;
    const Structure receptor = tessera::io::read_structure(folder + "/receptor.pdb"),
                    ligand = tessera::io::read_structure(folder + "/ligand_shuffled.pdb"),
                    reference = tessera::io::read_structure(folder + "/reference.pdb");
    // Bound partners: the file of the ligand is the reference's chains D and E, moved rigidly.
    tessera::docking::PointPairs ligand_atoms;
    std::size_t i = 0;
    for (const AtomRecord& atom : reference.atoms)
        if (atom.chain == "D" || atom.chain == "E")
            ligand_atoms.add(ligand.atoms.at(i++).position, atom.position);
    const auto home = tessera::docking::superpose(ligand_atoms.model, ligand_atoms.reference);
    const Evaluation evaluation(receptor, ligand, reference);
    const PoseQuality q =
        evaluation(tessera::quaternion_of(home.rotation), {}, home.shift + Vec3{0, 0.3, 0.4});
    SCOPED_TRACE(evaluation.matched());
    EXPECT_NEAR(q.ligand_rmsd, 0.5, 2e-3);
    EXPECT_NEAR(evaluation(tessera::quaternion_of(home.rotation), {}, home.shift).fnat, 1, 0.02);
    EXPECT_EQ(capri_class(q), 3);
}

}  // namespace
