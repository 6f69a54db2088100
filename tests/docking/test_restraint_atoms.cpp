#include "docking/restraints/restraint_atoms.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "restrained_partners.hpp"

namespace tessera::docking {
namespace {

using testing::atoms_of;
using testing::restraints_from;

void expect_atoms_refused(const std::string& text, const std::string& words,
                          const std::string& path = "in.tbl",
                          const RestraintOptions& options = {}) {
    try {
        restraints_from(text, path, options);
        ADD_FAILURE() << "accepted:\n" << text;
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
}

TEST(RestraintAtoms, SelectionsOfATableComeInAnyOrder) {
    for (const char* text :
         {"assign (resid 2 and segid A) (resid 11:12 and segid B and name CA) 2 2 0",
          "assign (resid 11:12 and segid B and name CA) (resid 2 and segid A) 2 2 0"}) {
        const auto found = restraints_from(text, "in.tbl");
        ASSERT_EQ(found.restraints.size(), 1U);
        const DistanceRestraint& one = found.restraints[0];
        EXPECT_EQ(one.receptor.size(), 2U);  // residues A2 and H2
        EXPECT_EQ(atoms_of(one.receptor), 6U);
        EXPECT_EQ(one.ligand.size(), 2U);
        EXPECT_EQ(atoms_of(one.ligand), 2U);
        EXPECT_EQ(one.ligand[1].atoms[0].x, 3.8 - 1);  // from the ligand's centre
        EXPECT_EQ(one.ligand[1].atoms[0].z, 20 - 3);
    }
}

TEST(RestraintAtoms, ChainsTellThePartnerWithoutSegids) {
    // Number 11 exists in the ligand alone, chain H in the receptor alone.
    const auto found = restraints_from("assign (chain H and resid 2) (resid 11) 2 2 0", "in.tbl");
    EXPECT_EQ(atoms_of(found.restraints[0].receptor), 3U);
    EXPECT_EQ(atoms_of(found.restraints[0].ligand), 3U);
    expect_atoms_refused("assign (chain A) (chain H) 2 2 0", "both selections have atoms of the");
}

TEST(RestraintAtoms, ColumnsOfACsvTableTellThePartner) {
    const auto found =
        restraints_from("receptor,ligand,upper\nchain A,chain A and name CA,10\n", "in.csv");
    EXPECT_EQ(atoms_of(found.restraints[0].receptor), 18U);
    EXPECT_EQ(atoms_of(found.restraints[0].ligand), 4U);
}

TEST(RestraintAtoms, ASelectionWithoutAtomsSaysWhatThereIs) {
    expect_atoms_refused("assign (resid 7 and segid A) (resid 11 and segid B) 2 2 0",
                         "in the receptor chain A has residues 1 to 6, chain H -1 to 3");
    expect_atoms_refused("assign (resid 11 and segid A) (resid 11 and segid B) 2 2 0",
                         "the ligand has such atoms");
    expect_atoms_refused("assign (resid 2 and name HN and segid A) (resid 11 and segid B) 2 2 0",
                         "hydrogens are not docked; the atoms there are N, CA, CB");
    expect_atoms_refused("receptor,ligand,upper\nchain Q,resid 11,10\n", "chain Q", "in.csv");
    expect_atoms_refused("receptor,ligand,upper\nresid 11,resid 11,10\n",
                         "the ligand has such atoms", "in.csv");
    expect_atoms_refused("assign (resid 99) (resid 11) 2 2 0",
                         "in the ligand chain A has residues 11");
    expect_atoms_refused("assign (resid 2 and segid A) (resid 3 and segid A) 2 2 0",
                         "both selections have atoms of the receptor");
    expect_atoms_refused("assign (resid 11 and segid B) (resid 12 and segid B) 2 2 0",
                         "both selections have atoms of the ligand");
}

TEST(RestraintAtoms, AlternativesWithoutAtomsAreLeftOutWithAWarning) {
    std::vector<std::string> warnings;
    const auto found = restraints_from(
        "assign (resid 2 and segid A) ((resid 11 and segid B) or (resid 99 and segid B)) 2 2 0\n"
        "assign (resid 3 and segid A) ((resid 11 and segid B) or (resid 99 and segid B)) 2 2 0\n",
        "in.tbl", {}, &warnings);
    EXPECT_EQ(atoms_of(found.restraints[0].ligand), 3U);
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_NE(warnings[0].find("1 alternative names no atoms and is left out: "), std::string::npos)
        << warnings[0];
    EXPECT_NE(warnings[0].find("resid 99"), std::string::npos) << warnings[0];
}

TEST(RestraintAtoms, RequiredNumbers) {
    std::string table, csv = "receptor,ligand,upper,group,required\n";
    for (int i = 0; i < 5; ++i)
        table += "assign (resid 2 and segid A) (resid 11 and segid B) 2 2 0\n";
    for (const char* row : {"a,", "a,", "a,", "b,2", "b,"})
        csv += std::string("resid 2,resid 11,5,") + row + "\n";
    RestraintOptions options;
    EXPECT_EQ(restraints_from(table, "in.tbl", options).groups[0].required, 3);  // half
    const auto all = restraints_from(csv, "in.csv", options).groups;
    EXPECT_EQ(all[0].required, 3);
    EXPECT_EQ(all[1].required, 2);
    options.required = "1";
    EXPECT_EQ(restraints_from(table, "in.tbl", options).groups[0].required, 1);
    const auto one = restraints_from(csv, "in.csv", options).groups;
    EXPECT_EQ(one[0].required, 1);
    EXPECT_EQ(one[1].required, 2);  // its own number
    options.required = "6";
    expect_atoms_refused(table, "6 restraints of group in are required, and it has 5", "in.tbl",
                         options);
}

}  // namespace
}  // namespace tessera::docking
