// Molecules beside proteins in structure files.
#include <gtest/gtest.h>

#include <algorithm>

#include "io/proteins/mmcif_writer.hpp"
#include "io/proteins/pdb_writer.hpp"
#include "io/proteins/structure.hpp"
#include "structure_texts.hpp"

namespace {

using tessera::io::AtomRecord;
using tessera::io::Structure;
using namespace tessera::test;

std::string glycine(char chain, int number, double y) {
    std::string text;
    double x = 0;
    for (const char* atom : {" N  ", " CA ", " C  ", " O  "})
        text += pdb({.name = atom,
                     .residue = "GLY",
                     .chain = chain,
                     .number = number,
                     .x = x += 1.4,
                     .y = y,
                     .element = atom[1] == 'N'   ? " N"
                                : atom[1] == 'O' ? " O"
                                                 : " C"});
    return text;
}

std::string hetero(const char* name, const char* residue, char chain, double y,
                   const char* element = "  ", int number = 900) {
    return pdb({.record = "HETATM",
                .name = name,
                .residue = residue,
                .chain = chain,
                .number = number,
                .x = 0,
                .y = y,
                .element = element});
}

TEST(Hetero, MoleculesBesideTheProteinAreKeptApart) {
    const Structure s = read_text(glycine('A', 1, 0) + hetero("ZN  ", "ZN ", 'A', 9, "ZN") +
                                  hetero(" C1 ", "GOL", 'A', 12, " C", 901) +
                                  hetero(" O  ", "WAT", 'A', 15, " O", 902) +
                                  hetero(" H1 ", "GOL", 'A', 13, " H", 901));
    EXPECT_EQ(s.atoms.size(), 4u);
    ASSERT_EQ(s.hetero.size(), 3u);
    EXPECT_EQ(s.hetero[0].residue, "ZN");
    EXPECT_EQ(s.hetero[0].element, "ZN");
    EXPECT_EQ(s.hetero[1].residue, "GOL");
    EXPECT_EQ(s.hetero[2].residue, "HOH");
    EXPECT_EQ(s.hetero[2].residue_index, 2);
    EXPECT_EQ(s.hetero_atoms_skipped, 2);
    EXPECT_EQ(s.waters_skipped, 1);
    EXPECT_EQ(s.hydrogens_dropped, 0);
    EXPECT_TRUE(std::ranges::none_of(s.atoms, &AtomRecord::hetero));
}

TEST(Hetero, ElementsThatTheFileLacksFollowFromTheNames) {
    const Structure s = read_text(
        glycine('A', 1, 0) + hetero("CA  ", "CA ", 'A', 9) +
        hetero(" CA ", "LIG", 'A', 12, "  ", 901) + hetero("FE  ", "HEM", 'A', 15, "  ", 902) +
        hetero(" O5*", "ATP", 'A', 18, "  ", 903) + hetero(" N A", "HEM", 'A', 15.5, "  ", 904));
    ASSERT_EQ(s.hetero.size(), 5u);
    EXPECT_EQ(s.hetero[0].element, "CA");
    EXPECT_EQ(s.hetero[1].element, "C");
    EXPECT_EQ(s.hetero[2].element, "FE");
    EXPECT_EQ(s.hetero[3].name, "O5'");
    EXPECT_EQ(s.hetero[3].element, "O");
    EXPECT_EQ(s.hetero[4].name, "NA");
}

TEST(Hetero, AChosenChainHasTheMoleculesNearestToIt) {
    const std::string text =
        glycine('A', 1, 0) + glycine('B', 1, 40) + hetero(" C1 ", "NAG", 'C', 36, " C") +
        hetero("MG  ", "MG ", 'D', 3, "MG") + hetero("ZN  ", "ZN ", 'B', 1, "ZN", 901);
    const Structure a = read_text(text, {"A"}), b = read_text(text, {"B"});
    ASSERT_EQ(a.hetero.size(), 1u);
    EXPECT_EQ(a.hetero[0].residue, "MG");
    ASSERT_EQ(b.hetero.size(), 2u);  // its own zinc, wherever it lies, and the sugar
    EXPECT_EQ(read_text(text).hetero.size(), 3u);
}

TEST(Hetero, LinksOfTheChainAreResiduesWhateverTheirName) {
    std::string link;
    for (const auto& [name, x] :
         {std::pair(" N  ", 5.5), {" CA ", 6.9}, {" C  ", 8.3}, {" BR ", 6.9}})
        link += pdb({.record = "HETATM",
                     .name = name,
                     .residue = "X1Y",
                     .number = 2,
                     .x = x,
                     .y = name[1] == 'B' ? 2.0 : 0.0,
                     .element = name[1] == 'B' ? "BR" : " C"});
    const auto with_c_at = [&](double x) {
        return read_text(pdb({.name = " N  ", .x = 1, .y = 0, .element = " N"}) +
                         pdb({.name = " CA ", .x = 2.5, .y = 0}) +
                         pdb({.name = " C  ", .x = x, .y = 0}) + link);
    };
    EXPECT_EQ(with_c_at(4.1).atoms.size(), 7u);
    EXPECT_TRUE(with_c_at(4.1).hetero.empty());
    EXPECT_EQ(with_c_at(3.4).hetero.size(), 4u);
}

TEST(Hetero, WrittenComplexesHaveThemAsHetatm) {
    Structure s = read_text(glycine('A', 1, 0) + hetero("ZN  ", "ZN ", 'A', 9, "ZN"));
    AtomRecord zinc = s.hetero.at(0);
    zinc.hetero = true;
    zinc.segment = zinc.residue_index = 1;
    s.atoms.push_back(zinc);
    const std::string pdb_path = temporary_path("out.pdb"), cif_path = temporary_path("out.cif");
    tessera::io::write_pdb(pdb_path, {}, {{&s, {}, "receptor"}});
    const auto lines = lines_of(pdb_path);
    ASSERT_EQ(lines.size(), 7u);  // four atoms, TER, zinc, END
    EXPECT_EQ(lines[4].substr(0, 3), "TER");
    EXPECT_EQ(lines[5].substr(0, 26), "HETATM    6 ZN    ZN A 900");
    tessera::io::write_mmcif(cif_path, {{{}, {{&s, {}, "receptor"}}}});
    const auto cif = lines_of(cif_path);
    EXPECT_EQ(std::ranges::count_if(cif, [](const auto& l) { return l.starts_with("HETATM "); }),
              1);
    EXPECT_EQ(std::ranges::count_if(cif, [](const auto& l) { return l == "2 non-polymer"; }), 1);
    for (const std::string& path : {pdb_path, cif_path}) {
        const Structure again = tessera::io::read_structure(path);
        EXPECT_EQ(again.atoms.size(), 4u) << path;
        ASSERT_EQ(again.hetero.size(), 1u) << path;
        EXPECT_EQ(again.hetero[0].residue, "ZN");
        EXPECT_EQ(again.hetero[0].position.y, 9);
        std::remove(path.c_str());
    }
}

}  // namespace
