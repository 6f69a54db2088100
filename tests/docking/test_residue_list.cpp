#include "docking/restraints/residue_list.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <numeric>
#include <string>

#include "core/error.hpp"
#include "io/temporary_folder.hpp"
#include "support/message_of.hpp"

namespace tessera::docking {
namespace {

/// Chains with residues first..first+count-1, two atoms each.
struct MadePartner {
    io::Structure structure;
    Molecule molecule;

    void add(const std::string& chain, int first, int count) {
        for (int number = first; number < first + count; ++number)
            for (const char* name : {"N", "CA"}) {
                io::AtomRecord atom;
                atom.chain = chain;
                atom.residue_number = number;
                atom.name = name;
                molecule.structure_index.push_back(static_cast<int>(structure.atoms.size()));
                molecule.positions.push_back({});
                structure.atoms.push_back(atom);
            }
    }
};

struct Flags {
    std::vector<bool> receptor, ligand;
};

Flags read(const std::string& text) {
    MadePartner receptor, ligand;
    receptor.add("A", -3, 10);  // -3 to 6
    receptor.add("", 1, 5);
    ligand.add("B", 1, 4);
    const test::TemporaryFolder folder;
    std::ofstream(folder / "list", std::ios::binary) << text;
    Flags flags;
    read_residue_list(folder / "list", {receptor.structure, receptor.molecule, flags.receptor},
                      {ligand.structure, ligand.molecule, flags.ligand});
    return flags;
}

std::vector<int> set_in(const std::vector<bool>& flags) {
    std::vector<int> indices;
    for (std::size_t i = 0; i < flags.size(); ++i)
        if (flags[i]) indices.push_back(static_cast<int>(i));
    return indices;
}

std::string message_of(const std::string& text) {
    return test::message_of([&] { read(text); });
}

TEST(ResidueList, NumbersRangesAndBothPartners) {
    const Flags flags = read("# mine\nreceptor A -1 # one\r\n\nligand B 2-3\nreceptor A 5-99\n");
    EXPECT_EQ(set_in(flags.receptor), (std::vector<int>{4, 5, 16, 17, 18, 19}));
    EXPECT_EQ(set_in(flags.ligand), (std::vector<int>{2, 3, 4, 5}));
}

TEST(ResidueList, NegativeRangesAndTheBlankChain) {
    EXPECT_EQ(set_in(read("receptor A -3--2").receptor), (std::vector<int>{0, 1, 2, 3}));
    EXPECT_EQ(set_in(read("receptor A -3-6").receptor).size(), 20U);
    EXPECT_EQ(set_in(read("receptor _ 1").receptor), (std::vector<int>{20, 21}));
    EXPECT_TRUE(read("receptor _ 1").ligand.empty());
}

TEST(ResidueList, ResiduesOfTwoLists) {
    MadePartner receptor;
    receptor.add("A", -3, 10);
    receptor.add("", 1, 5);
    for (std::size_t a = 0; a < receptor.structure.atoms.size(); ++a)  // two atoms a residue
        receptor.structure.atoms[a].residue_index = static_cast<int>(a / 2);
    const auto in_both = [&](const std::string& one, const std::string& other) {
        return residues_in_both(receptor.structure, receptor.molecule, read(one).receptor,
                                read(other).receptor);
    };
    EXPECT_EQ(in_both("receptor A 1-4\nreceptor _ 2", "receptor A 3-9\nreceptor _ 2"),
              "A 3-4, _ 2");
    EXPECT_EQ(in_both("receptor A 1-2", "receptor A 3\nreceptor _ 1"), "");
    EXPECT_EQ(in_both("receptor A 1", "ligand B 1"), "");  // no atom of the receptor is flagged
}

TEST(ResidueList, SelectionsAreThoseOfDistanceRestraints) {
    EXPECT_EQ(set_in(read("receptor chain A and resid -1").receptor), (std::vector<int>{4, 5}));
    const Flags flags = read("receptor chain A and (resid 5:6 or resid -3) and name CA # mine\n"
                             "ligand resid 2:3\nligand B 4\n");
    EXPECT_EQ(set_in(flags.receptor), (std::vector<int>{1, 17, 19}));
    EXPECT_EQ(set_in(flags.ligand), (std::vector<int>{2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(set_in(read("receptor chain _ and not resid 2:5").receptor),
              (std::vector<int>{20, 21}));
    EXPECT_EQ(set_in(read("ligand all").ligand).size(), 8U);
    EXPECT_EQ(set_in(read("ligand (name N)").ligand), (std::vector<int>{0, 2, 4, 6}));
}

TEST(ResidueList, BadSelectionsSayWhy) {
    EXPECT_NE(message_of("ligand B 1\nligand resid 1 rsid 2").find(":2'"), std::string::npos);
    EXPECT_NE(message_of("ligand resid 1 and").find("the text ends"), std::string::npos);
    EXPECT_NE(message_of("ligand chain B and resid 9").find("1 to 4"), std::string::npos);
    EXPECT_NE(message_of("ligand resid 1 and name CB").find("the atoms there are N, CA"),
              std::string::npos);
}

TEST(ResidueList, BadLinesAreNamed) {
    for (const char* line :
         {"receptor A", "receptor A x", "receptor A 1x", "receptor A 1-", "receptor A 3-1",
          "receptor A 1 2", "both A 1", "A 1", "receptor A 1-2-3", "receptor A 99999999999",
          "receptor A 1-99999999999", "receptor A 1.5", "receptor A +1", "\x01\x02\xff"})
        EXPECT_NE(message_of("ligand B 1\n" + std::string(line) + "\n").find(":2: not a residue"),
                  std::string::npos)
            << line;
    EXPECT_NE(message_of("receptor A 7").find("no such residue"), std::string::npos);
    EXPECT_NE(message_of("receptor Q 1").find("no such residue"), std::string::npos);
    EXPECT_NE(message_of("ligand A 1").find("chain B has residues 1 to 4"), std::string::npos);
    EXPECT_NE(message_of("ligand A 1").find("the receptor has such atoms"), std::string::npos);
}

TEST(ResidueList, FilesWithoutResiduesAreRefused) {
    EXPECT_NE(message_of("").find("is empty"), std::string::npos);
    EXPECT_NE(message_of("# receptor A 1\n").find("names no residues"), std::string::npos);
    Flags flags;
    const io::Structure structure;
    const Molecule molecule;
    for (const char* path : {"no/such/list", TESSERA_SOURCE_DIR})
        EXPECT_THROW(read_residue_list(path, {structure, molecule, flags.receptor},
                                       {structure, molecule, flags.ligand}),
                     Error);
}

}  // namespace
}  // namespace tessera::docking
