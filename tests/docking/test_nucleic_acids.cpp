// Nucleic acids as a partner: types and charges, poses against the native complex, clusters.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "docking/ace_molecules.hpp"
#include "docking/duplex.hpp"
#include "docking/evaluation/clustering.hpp"
#include "docking/evaluation/evaluation.hpp"
#include "docking/model/kept_residues.hpp"
#include "docking/model/nucleotide_atoms.hpp"
#include "io/files/data_files.hpp"
#include "io/proteins/nucleotides.hpp"

namespace tessera::docking {
namespace {

using testing::duplex;

constexpr double phosphate = -1;  // as the table of the data folder says

double charge_of(const io::Structure& structure, const Molecule& molecule, int residue) {
    double charge = 0;
    for (std::size_t i = 0; i < molecule.size(); ++i)
        if (structure.atoms[i].residue_index == residue) charge += molecule.charges[i];
    return charge;
}

/// A nucleotide with all atoms of its kind in the table.
io::Structure whole_strand(const std::vector<std::string>& residues) {
    const AtomTable table(io::data_file("chemistry/nucleotides.csv"));
    io::Structure structure;
    for (std::size_t r = 0; r < residues.size(); ++r) {
        double x = 0;
        for (const auto& [key, row] : table.rows()) {
            if (key.first != residues[r] || key.second == "OP3") continue;
            io::AtomRecord atom;
            atom.name = key.second;
            atom.residue = atom.variant = residues[r];
            atom.chain = "B";
            atom.element = key.second.substr(0, 1);
            atom.residue_index = static_cast<int>(r);
            atom.residue_number = static_cast<int>(r) + 1;
            atom.nucleic = true;
            atom.position = {x += 4, 10.0 * static_cast<double>(r), 0};
            structure.atoms.push_back(atom);
        }
    }
    return structure;
}

TEST(NucleicAcids, ANucleotideHasTheChargeOfItsPhosphate) {
    std::vector<std::string> warnings;
    const std::vector<std::string> residues{"DA", "DC", "DG", "DT", "DU", "DI",
                                            "A",  "C",  "G",  "U",  "I"};
    const io::Structure strand = whole_strand(residues);
    const Molecule molecule = make_ace_molecule(strand, warnings);
    EXPECT_TRUE(warnings.empty());
    for (int r = 1; r + 1 < static_cast<int>(residues.size()); ++r)
        EXPECT_NEAR(charge_of(strand, molecule, r), phosphate, 1e-6)
            << residues[static_cast<std::size_t>(r)];
    // The group of the first phosphate is whole although the strand begins with it. O3' at the
    // other end has a hydrogen: its ester had -0.47 with C3'.
    EXPECT_NEAR(charge_of(strand, molecule, 0), phosphate - 0.47, 1e-6);
    EXPECT_NEAR(charge_of(strand, molecule, 10), phosphate + 0.47, 1e-6);
    // As many phosphates as nucleotides.
    EXPECT_NEAR(std::accumulate(molecule.charges.begin(), molecule.charges.end(), 0.0),
                11 * phosphate, 1e-6);
}

TEST(NucleicAcids, StrandsWithoutPhosphateAtTheEndHaveOneLess) {
    std::vector<std::string> warnings;
    io::Structure strand = whole_strand({"DA", "DC", "DG"});
    std::erase_if(strand.atoms, [](const io::AtomRecord& atom) {
        return atom.residue_index == 0 && atom.name.find('P') != std::string::npos;
    });
    const Molecule molecule = make_ace_molecule(strand, warnings);
    EXPECT_NEAR(std::accumulate(molecule.charges.begin(), molecule.charges.end(), 0.0),
                2 * phosphate, 1e-6);
}

TEST(NucleicAcids, ModifiedNucleotidesTakeTheAtomsOfTheirParent) {
    std::vector<std::string> warnings;
    io::Structure strand = whole_strand({"DA", "DC", "DG"});
    io::AtomRecord methyl;
    for (io::AtomRecord& atom : strand.atoms) {
        if (atom.residue_index != 1) continue;
        atom.variant = "5CM";
        if (atom.name == "C5") methyl = atom;
    }
    methyl.name = "C5A";
    methyl.position.z += 1.5;
    const auto end = std::ranges::find(strand.atoms, 2, &io::AtomRecord::residue_index);
    strand.atoms.insert(end, methyl);
    const Molecule molecule = make_ace_molecule(strand, warnings);
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings.front().find("5CM (C5A)"), std::string::npos) << warnings.front();
    EXPECT_NEAR(charge_of(strand, molecule, 1), phosphate, 1e-6);
}

TEST(NucleicAcids, TypesAreThoseOfTheTable) {
    std::vector<std::string> warnings;
    const io::Structure helix = duplex(3, "B");
    const Molecule molecule = make_ace_molecule(helix, warnings);
    std::map<std::string, std::string> types;
    for (std::size_t i = 0; i < molecule.size(); ++i)
        types[helix.atoms[i].name] = ace_type_names[static_cast<std::size_t>(molecule.types[i])];
    EXPECT_EQ(types["P"], "DOD");
    EXPECT_EQ(types["OP1"], "DOD");
    EXPECT_EQ(types["O4'"], "SOG");
    EXPECT_EQ(types["N9"], "HNE");
    EXPECT_EQ(types["C8"], "FCZ");
    const NucleicAcid found = nucleic_acid_of(helix);
    EXPECT_EQ(found.nucleotides, 6);
    EXPECT_EQ(found.strands, 2);
}

TEST(NucleicAcids, KeepNucleicPutsThemBehindTheProtein) {
    const auto mixed = [] {
        io::Structure structure = whole_strand({"DA", "DC"});
        structure.nucleic = std::move(structure.atoms);
        structure.atoms = duplex(1, "A").atoms;  // stands for the protein
        for (io::AtomRecord& atom : structure.atoms) atom.nucleic = false;
        structure.nucleic_atoms_skipped = static_cast<int>(structure.nucleic.size());
        return structure;
    };
    io::Structure left_out = mixed(), kept = mixed();
    const std::size_t protein = kept.atoms.size(), nucleic = kept.nucleic.size();
    keep_residues(parse_keep("auto", "").receptor, left_out);
    EXPECT_EQ(left_out.atoms.size(), protein);
    ASSERT_EQ(left_out.warnings.size(), 1u);
    EXPECT_NE(left_out.warnings[0].find("--keep auto,nucleic"), std::string::npos);
    keep_residues(parse_keep("auto,nucleic", "").receptor, kept);
    ASSERT_EQ(kept.atoms.size(), protein + nucleic);
    EXPECT_TRUE(kept.warnings.empty());
    EXPECT_EQ(kept.atoms[protein].residue_index, 2);
    EXPECT_EQ(kept.atoms[protein].segment, 2);
}

/// Residues with a backbone along the groove of the helix. They have no symmetry.
io::Structure protein_at_helix() {
    const std::array<const char*, 4> names{"LYS", "ALA", "ARG", "GLN"};
    io::Structure structure;
    for (int r = 0; r < 8; ++r) {
        const double u = r - 3;
        const Vec3 at{-11.5 - 0.1 * u * u, 3.6 * u, 1.2 * u + 1};
        for (const auto& [name, offset] :
             std::initializer_list<std::pair<const char*, Vec3>>{{"N", {-0.5, -1.2, 0}},
                                                                 {"CA", {0, 0, 0}},
                                                                 {"C", {-0.6, 1.2, 0.3}},
                                                                 {"O", {-1.8, 1.3, 0.2}},
                                                                 {"CB", {1.2, 0.2, 0.9}}}) {
            io::AtomRecord atom;
            atom.name = name;
            atom.residue = atom.variant = names[static_cast<std::size_t>(r % 4)];
            atom.chain = "A";
            atom.element = std::string(1, name[0]);
            atom.residue_index = r;
            atom.residue_number = r + 1;
            atom.position = at + offset;
            structure.atoms.push_back(atom);
        }
    }
    return structure;
}

io::Structure joined(io::Structure a, const io::Structure& b) {
    a.nucleic = b.atoms;
    io::take_nucleic_acids(a);
    return a;
}

double rmsd(const std::vector<io::AtomRecord>& atoms, const Matrix3& rotation, Vec3 shift,
            bool base) {
    double sum = 0, count = 0;
    for (const io::AtomRecord& atom : atoms) {
        const bool is_base = atom.name == "N9" || atom.name == "C8" || atom.name == "C4";
        if (is_base && !base) continue;
        sum += distance_squared(rotation * atom.position + shift, atom.position);
        ++count;
    }
    return std::sqrt(sum / count);
}

TEST(NucleicAcids, LigandRmsdIsThatOfPhosphateAndSugar) {
    const io::Structure helix = duplex(8, "B"), protein = protein_at_helix();
    const Evaluation evaluation(protein, helix, joined(protein, helix));
    const Quaternion turn{0.98, 0.1, 0.1, std::sqrt(1 - 0.98 * 0.98 - 0.02)};
    const Vec3 shift{1, -2, 0.5};
    const PoseQuality q = evaluation(turn, {}, shift);
    const double expected = rmsd(helix.atoms, turn.matrix(), shift, false);
    EXPECT_NEAR(q.ligand_rmsd, expected, 1e-9);
    EXPECT_GT(std::abs(expected - rmsd(helix.atoms, turn.matrix(), shift, true)), 0.01);
    const PoseQuality native = evaluation({1, 0, 0, 0}, {}, {0, 0, 0});
    EXPECT_EQ(native.fnat, 1);
    EXPECT_NEAR(native.dockq, 1, 1e-9);
    EXPECT_NEAR(native.interface_rmsd, 0, 1e-5);
}

/// The first four nucleotides are G, so that the helix has no dyad.
io::Structure helix_without_dyad() {
    io::Structure helix = duplex(8, "B");
    for (io::AtomRecord& atom : helix.atoms)
        if (atom.residue_index < 4) atom.residue = "DG";
    return helix;
}

struct KnownPose {
    Quaternion rotation;
    Vec3 translation;
    double ligand_rmsd, interface_rmsd, fnat, dockq;
};

/// Figures of DockQ 2.1.3 (--no_align --mapping AB:AB) for PDB files of this complex. Its receptor
/// is the partner with more residues, which is the helix.
const std::array<KnownPose, 4> known_poses{{
    {{1, 0, 0, 0}, {0, 0, 0}, 0, 0, 1, 1},
    {{0.96, 0, 0, 0.28}, {1, 0.5, -0.5}, 8.396196, 2.489714, 9 / 14.0, 0.471771},
    {{0.96, 0.28, 0, 0}, {2, -3, 1}, 7.049458, 2.377839, 8 / 14.0, 0.482857},
    {{0.8, 0.4, -0.2, 0.4}, {6, -5, 9}, 19.782589, 6.280987, 1 / 14.0, 0.093743},
}};

TEST(NucleicAcids, AMadeComplexAgreesWithDockQ) {
    const io::Structure helix = helix_without_dyad(), protein = protein_at_helix();
    const Evaluation evaluation(helix, protein, joined(protein, helix));
    for (const KnownPose& pose : known_poses) {
        const PoseQuality q = evaluation(pose.rotation, {}, pose.translation);
        EXPECT_NEAR(q.ligand_rmsd, pose.ligand_rmsd, 5e-4);
        EXPECT_NEAR(q.interface_rmsd, pose.interface_rmsd, 5e-4);
        EXPECT_DOUBLE_EQ(q.fnat, pose.fnat);
        EXPECT_NEAR(q.dockq, pose.dockq, 5e-5);
    }
}

TEST(NucleicAcids, BothStrandsOfAPalindromeAreEquivalent) {
    const io::Structure helix = duplex(8, "B"), protein = protein_at_helix();
    const Evaluation evaluation(protein, helix, joined(protein, helix));
    ASSERT_EQ(evaluation.copies().size(), 2u);
    const PoseQuality turned = evaluation({0, 1, 0, 0}, {}, {0, 0, 0});  // about the dyad
    EXPECT_EQ(turned.copy, 1);
    EXPECT_EQ(turned.fnat, 1);
    EXPECT_NEAR(turned.ligand_rmsd, 0, 1e-9);
    // Another sequence has no such place.
    const io::Structure other = helix_without_dyad();
    EXPECT_EQ(Evaluation(protein, other, joined(protein, other)).copies().size(), 1u);
}

TEST(NucleicAcids, TheReferenceMayNameEachStrand) {
    const io::Structure helix = duplex(8, "B"), protein = protein_at_helix();
    io::Structure named = helix;
    for (io::AtomRecord& atom : named.atoms) {
        atom.chain = atom.segment == 0 ? "X" : "Y";
        if (atom.segment == 1) atom.residue_number -= 8;
    }
    const PoseQuality q =
        Evaluation(protein, helix, joined(protein, named))({1, 0, 0, 0}, {}, {0, 0, 0});
    EXPECT_EQ(q.fnat, 1);
    EXPECT_NEAR(q.ligand_rmsd, 0, 1e-9);
    const PoseQuality chosen = Evaluation(protein, helix, joined(protein, helix), {"A"},
                                          {"B"})({1, 0, 0, 0}, {}, {0, 0, 0});
    EXPECT_EQ(chosen.fnat, 1);
}

TEST(NucleicAcids, PosesAreClusteredByTheirC1) {
    const io::Structure helix = duplex(8, "B"), protein = protein_at_helix();
    std::vector<Pose> poses(30);
    std::vector<Quaternion> rotations(30, Quaternion{1, 0, 0, 0});
    for (std::size_t i = 0; i < poses.size(); ++i) {
        poses[i].score = static_cast<double>(i);
        poses[i].translation = {0, 0, i < 15 ? 0.1 * static_cast<double>(i) : 15.0};
    }
    ClusteringOptions options;
    options.minimum_size = 2;
    const auto clusters = cluster_poses(poses, rotations, {}, protein, helix, options);
    ASSERT_EQ(clusters.size(), 2u);
    EXPECT_EQ(clusters[0].members.size(), 15u);
    EXPECT_EQ(clusters[1].members.size(), 15u);
}

}  // namespace
}  // namespace tessera::docking
