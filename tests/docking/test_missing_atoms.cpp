// Traces and bare backbones are told of by what they lack; structures with a few gaps are not.
#include "docking/model/missing_atoms.hpp"

#include <gtest/gtest.h>

namespace tessera::docking {
namespace {

using Names = std::vector<const char*>;

const Names full{"N", "CA", "C", "O", "CB", "CG", "CD1", "CD2"}, bare{"N", "CA", "C", "O"};

void add(io::Structure& structure, const Names& names, int count, const char* residue = "LEU") {
    for (int r = 0; r < count; ++r) {
        const int index = structure.atoms.empty() ? 0 : structure.atoms.back().residue_index + 1;
        for (const char* name : names) {
            io::AtomRecord atom;
            atom.name = name;
            atom.residue = atom.variant = residue;
            atom.residue_number = atom.residue_index = index;
            structure.atoms.push_back(atom);
        }
    }
}

std::string warning(const io::Structure& structure) {
    const auto lines = missing_atom_warnings(structure);
    EXPECT_LE(lines.size(), 1u);
    return lines.empty() ? "" : lines[0];
}

TEST(MissingAtoms, OfATraceEverythingButTheTraceIsNamed) {
    io::Structure trace;
    trace.path = "trace.pdb";
    add(trace, {"CA"}, 50);
    add(trace, {"CA"}, 4, "GLY");
    const std::string line = warning(trace);
    for (const char* words : {"'trace.pdb' lacks N in 54, C in 54, O in 54, the side chain",
                              "in 50 of its 54 residues"})
        EXPECT_NE(line.find(words), std::string::npos) << line;
    EXPECT_EQ(line.find("CA in"), std::string::npos) << line;
}

TEST(MissingAtoms, OfABackboneTheSideChainsAreNamed) {
    for (const Names& names : {bare, Names{"N", "CA", "C", "O", "CB"}}) {
        io::Structure backbone;
        add(backbone, names, 20);
        const std::string line = warning(backbone);
        EXPECT_NE(line.find("in 20 of its 20"), std::string::npos) << line;
        EXPECT_EQ(line.find("N in"), std::string::npos) << line;
    }
}

TEST(MissingAtoms, WholeStructuresAndThoseWithFewGapsAreNotToldOf) {
    io::Structure whole;
    add(whole, full, 18);
    add(whole, bare, 10, "GLY");
    add(whole, {"N", "CA", "C", "O", "CB"}, 10, "ALA");
    EXPECT_EQ(warning(whole), "");
    add(whole, bare, 4);  // of 42
    EXPECT_EQ(warning(whole), "");
    add(whole, bare, 1);
    EXPECT_NE(warning(whole), "");
}

TEST(MissingAtoms, CapsAndUnknownResiduesAreNotLookedAt) {
    io::Structure odd;
    add(odd, full, 1);
    add(odd, {"CH3", "C", "O"}, 3, "ACE");
    add(odd, {"N"}, 3, "NH2");
    add(odd, {"CA"}, 9, "UNK");
    EXPECT_EQ(warning(odd), "");
    EXPECT_EQ(warning({}), "");
}

}  // namespace
}  // namespace tessera::docking
