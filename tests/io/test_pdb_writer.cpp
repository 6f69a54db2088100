// Columns, chains and serials of the PDB files that are written.
#include "io/proteins/pdb_writer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>

#include "core/error.hpp"
#include "io/proteins/structure.hpp"
#include "structure_texts.hpp"

namespace {

using tessera::Error;
using tessera::io::Structure;
using namespace tessera::test;

TEST(WritePdb, WritesExactColumnsAndReadsBackTheSame) {
    const Structure s = read_text(glycine_pdb);
    const std::string path = temporary_path("out.pdb");
    tessera::io::write_pdb(path, {"score -12.5"}, {{&s, {}, "receptor"}});
    const std::vector<std::string> lines = lines_of(path);
    ASSERT_EQ(lines.size(), 7u);
    EXPECT_EQ(lines[0], "REMARK   6 score -12.5");
    EXPECT_EQ(lines[1],
              "ATOM      1  N   GLY A   1      -1.500   2.000   3.000  1.00 20.00           N  ");
    EXPECT_EQ(lines[5].substr(0, 27), "TER       5      GLY A   1 ");
    EXPECT_EQ(lines[6].substr(0, 3), "END");
    const Structure again = tessera::io::read_structure(path);
    ASSERT_EQ(again.atoms.size(), s.atoms.size());
    for (std::size_t i = 0; i < s.atoms.size(); ++i) {
        EXPECT_EQ(again.atoms[i].name, s.atoms[i].name);
        EXPECT_EQ(again.atoms[i].position.x, s.atoms[i].position.x);
    }
    std::remove(path.c_str());
}

TEST(WritePdb, RenamesChainsThatAreTakenOrTooLong) {
    const Structure receptor = read_text(pdb({.chain = 'A'}));
    Structure ligand = read_text(pdb({.chain = 'A'}) + pdb({.chain = 'B'}) + pdb({.chain = 'D'}));
    ligand.atoms[2].chain = "LONG";
    const std::string path = temporary_path("out.pdb");
    std::vector<tessera::Vec3> moved{{10, 0, 0}, {20, 0, 0}, {30, 0, 0}};
    tessera::io::write_pdb(path, {}, {{&receptor, {}, "receptor"}, {&ligand, moved, "ligand"}});
    const Structure complex = tessera::io::read_structure(path);
    ASSERT_EQ(complex.atoms.size(), 4u);
    EXPECT_EQ(complex.atoms[0].chain, "A");
    EXPECT_EQ(complex.atoms[1].chain, "C");
    EXPECT_EQ(complex.atoms[2].chain, "B");
    EXPECT_EQ(complex.atoms[3].chain, "D");
    EXPECT_EQ(complex.atoms[1].position.x, 10);
    EXPECT_EQ(lines_of(path)[0], "REMARK   6 chain A of the ligand is chain C here");
    std::remove(path.c_str());
}

TEST(WritePdb, ManyAtomsAndManyChainsKeepTheirColumns) {
    Structure s = read_text(pdb({}));
    const tessera::io::AtomRecord atom = s.atoms[0];
    s.atoms.assign(100100, atom);
    for (std::size_t i = 0; i < 100; ++i) {
        s.atoms[i].chain = "chain" + std::to_string(i);
        s.atoms[i].residue_number = 12345;
    }
    const std::string path = temporary_path("out.pdb");
    tessera::io::write_pdb(path, {}, {{&s, {}, ""}});
    const Structure again = tessera::io::read_structure(path);
    ASSERT_FALSE(again.atoms.empty());
    EXPECT_EQ(again.atoms[0].residue_number, 12345);
    int overflowed = 0;
    for (const std::string& line : lines_of(path))
        if (line.starts_with("ATOM")) {
            EXPECT_EQ(line.size(), 80u);
            overflowed += line.substr(6, 5) >= "A0000";
        }
    EXPECT_EQ(overflowed, 100100 + 100 - 99999);  // 100 TER records carry serials, too
    std::remove(path.c_str());
}

TEST(WritePdb, RefusesWhatDoesNotFitAndLeavesNothingBehind) {
    const Structure s = read_text(glycine_pdb);
    const std::string path = temporary_path("out.pdb");
    EXPECT_THROW(tessera::io::write_pdb(path, {}, {{&s, {{1e6, 0, 0}, {}, {}, {}}, ""}}), Error);
    EXPECT_THROW(tessera::io::write_pdb(path, {}, {{&s, {{NAN, 0, 0}, {}, {}, {}}, ""}}), Error);
    EXPECT_THROW(tessera::io::write_pdb(path, {}, {{&s, {{1, 0, 0}}, ""}}), Error);
    EXPECT_FALSE(std::filesystem::exists(path));
    EXPECT_THROW(tessera::io::write_pdb(path + "/no/such/folder.pdb", {}, {{&s, {}, ""}}), Error);
}

}  // namespace
