// Which atoms are one residue, where numbers do not say it: nothing is lost without a word.
#include <gtest/gtest.h>

#include "io/proteins/structure.hpp"
#include "structure_texts.hpp"

namespace {

using tessera::io::AtomRecord;
using tessera::io::Structure;
using namespace tessera::test;

/// A residue of five atoms at a place of its own along x.
std::string residue(int place, const char* name = "ALA", int number = 1, char alternate = ' ',
                    double shift = 0, double occupancy = 1) {
    std::string text;
    double y = 0;
    for (const char* atom : {" N  ", " CA ", " C  ", " O  ", " CB "})
        text += pdb({.name = atom,
                     .alternate = alternate,
                     .residue = name,
                     .number = number,
                     .x = 3.8 * place + shift,
                     .y = y += 1.4,
                     .occupancy = occupancy,
                     .element = atom[1] == 'C'   ? " C"
                                : atom[1] == 'N' ? " N"
                                                 : " O"});
    return text;
}

int residues_of(const Structure& s) { return s.atoms.back().residue_index + 1; }

std::string warning_of(const Structure& s) {
    EXPECT_EQ(s.warnings.size(), 1u);
    return s.warnings.empty() ? "" : s.warnings[0];
}

TEST(Residues, NeighboursOfOneNumberStayApart) {
    std::string text;
    for (int i = 0; i < 40; ++i) text += residue(i, i % 8 < 5 ? "ALA" : "SER");
    const Structure s = read_text(text);
    EXPECT_EQ(s.atoms.size(), 200u);
    EXPECT_EQ(s.alternate_locations_dropped, 0);
    EXPECT_EQ(residues_of(s), 40);
    for (std::size_t i = 0; i < s.atoms.size(); ++i)
        EXPECT_EQ(s.atoms[i].residue_index, static_cast<int>(i / 5));
    EXPECT_NE(warning_of(s).find("39 of 40 residues"), std::string::npos) << warning_of(s);
}

TEST(Residues, NumbersOfTheirOwnAreNotWarnedOf) {
    const Structure s = read_text(residue(0) + residue(1, "ALA", 2) + residue(2, "ALA", 3));
    EXPECT_EQ(residues_of(s), 3);
    EXPECT_TRUE(s.warnings.empty());
}

TEST(Residues, ATraceOfOneNumberKeepsEveryAtom) {
    std::string text;
    for (int i = 0; i < 30; ++i) text += pdb({.x = 3.8 * i});
    EXPECT_EQ(read_text(text).atoms.size(), 30u);
}

TEST(Residues, MmcifWithoutSequenceIdsKeepsEveryAtom) {
    std::string text =
        "data_X\nloop_\n_atom_site.group_PDB\n_atom_site.id\n_atom_site.type_symbol\n"
        "_atom_site.label_atom_id\n_atom_site.label_comp_id\n_atom_site.label_asym_id\n"
        "_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n";
    for (int i = 0; i < 20; ++i)
        for (const char* atom : {"N", "CA", "C", "O", "CB"})
            text += "ATOM 1 " + std::string(1, atom[0]) + " " + atom + " LEU A " +
                    std::to_string(3.8 * i) + " 1 " + std::to_string(atom[0] + atom[1]) + "\n";
    const Structure s = read_text(text + "#\n");
    EXPECT_EQ(s.atoms.size(), 100u);
    EXPECT_EQ(residues_of(s), 20);
    EXPECT_NE(warning_of(s).find("19 of 20 residues"), std::string::npos);
}

TEST(Residues, AlternatesAmongResiduesOfOneNumberAreStillAlternates) {
    // ALA, then ALA in two conformers, then SER in two, then ALA.
    const Structure s = read_text(
        residue(0) + residue(1, "ALA", 1, 'A', 0, 0.4) + residue(1, "ALA", 1, 'B', 0.3, 0.6) +
        residue(2, "SER", 1, 'A', 0, 0.7) + residue(2, "SER", 1, 'B', 0.3, 0.3) + residue(3));
    EXPECT_EQ(s.atoms.size(), 20u);
    EXPECT_EQ(s.alternate_locations_dropped, 10);
    EXPECT_EQ(residues_of(s), 4);
    EXPECT_NEAR(s.atoms[5].position.x, 3.8 + 0.3, 1e-9) << "conformer B";
    EXPECT_NEAR(s.atoms[10].position.x, 2 * 3.8, 1e-9) << "conformer A";
}

TEST(Residues, AnAtomAgainAtItsPlaceIsNoNewResidue) {
    const Structure s = read_text(residue(0) + residue(0, "ALA", 1, ' ', 0.4));
    EXPECT_EQ(s.atoms.size(), 5u);
    EXPECT_EQ(s.alternate_locations_dropped, 5);
    EXPECT_TRUE(s.warnings.empty());
}

TEST(Residues, ConformersThatStandApartInTheFileComeTogether) {
    const Structure s =
        read_text(residue(0, "ALA", 1, 'A', 0, 0.4) + residue(1, "ALA", 2, 'A', 0, 0.4) +
                  residue(0, "ALA", 1, 'B', 0.3, 0.6) + residue(1, "ALA", 2, 'B', 0.3, 0.6));
    ASSERT_EQ(s.atoms.size(), 10u);
    EXPECT_EQ(s.alternate_locations_dropped, 10);
    for (std::size_t i = 0; i < 10; ++i)
        EXPECT_NEAR(s.atoms[i].position.x, (i < 5 ? 0 : 3.8) + 0.3, 1e-9) << i;
    EXPECT_TRUE(s.warnings.empty());
}

TEST(Residues, LostInsertionCodesAreToldOf) {
    const Structure s =
        read_text(residue(0, "SER", 52) + residue(1, "GLN", 52) + residue(2, "GLN", 52));
    EXPECT_EQ(s.atoms.size(), 15u);
    EXPECT_NE(warning_of(s).find("2 of 3 residues"), std::string::npos);
}

}  // namespace
