// Reading of PDB and mmCIF files: what is kept and what is left out.
#include "io/proteins/structure.hpp"

#include <gtest/gtest.h>

#include <zlib.h>

#include <cmath>
#include <filesystem>

#include "core/error.hpp"
#include "structure_texts.hpp"

namespace {

using tessera::Error;
using tessera::io::Structure;
using namespace tessera::test;

TEST(ReadStructure, ReadsPdbColumns) {
    const Structure s = read_text(glycine_pdb);
    ASSERT_EQ(s.atoms.size(), 4u);
    EXPECT_EQ(s.atoms[0].name, "N");
    EXPECT_EQ(s.atoms[0].residue, "GLY");
    EXPECT_EQ(s.atoms[0].chain, "A");
    EXPECT_EQ(s.atoms[0].residue_number, 1);
    EXPECT_EQ(s.atoms[0].insertion_code, ' ');
    EXPECT_EQ(s.atoms[0].element, "N");
    EXPECT_DOUBLE_EQ(s.atoms[0].position.x, -1.5);
    EXPECT_DOUBLE_EQ(s.atoms[2].position.y, 4.25);
    EXPECT_DOUBLE_EQ(s.atoms[3].position.z, 5);
    EXPECT_DOUBLE_EQ(s.atoms[3].b_factor, 20);
}

TEST(ReadStructure, ReadsMmcifByContent) {
    const Structure s = read_text(glycine_cif);
    ASSERT_EQ(s.atoms.size(), 5u);
    EXPECT_EQ(s.atoms[0].chain, "X");
    EXPECT_DOUBLE_EQ(s.atoms[2].position.y, 4.25);
    EXPECT_EQ(s.atoms[4].name, "SD");
    EXPECT_EQ(s.atoms[4].residue, "MET");
    EXPECT_EQ(s.atoms[4].insertion_code, 'A');
    EXPECT_EQ(s.waters_skipped, 1);
    ASSERT_EQ(s.warnings.size(), 1u);
    EXPECT_NE(s.warnings[0].find("only the first model"), std::string::npos);
}

TEST(ReadStructure, AcceptsWindowsAndOldMacLineEndsAndNoFinalNewline) {
    std::string windows, mac;
    for (const char c : glycine_pdb) {
        windows += c == '\n' ? "\r\n" : std::string(1, c);
        mac += c == '\n' ? '\r' : c;
    }
    EXPECT_EQ(read_text(windows).atoms.size(), 4u);
    EXPECT_EQ(read_text(mac).atoms.size(), 4u);
    const std::string line = pdb({});
    EXPECT_EQ(read_text(line.substr(0, 54)).atoms.size(), 1u);
}

TEST(ReadStructure, ReadsGzipWhateverTheName) {
    for (const std::string& text : {glycine_pdb, glycine_cif}) {
        const std::string path = temporary_path("plain_name.pdb");
        gzFile file = gzopen(path.c_str(), "wb");
        gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
        gzclose(file);
        EXPECT_GE(tessera::io::read_structure(path).atoms.size(), 4u);
        std::filesystem::resize_file(path, std::filesystem::file_size(path) - 12);
        try {
            tessera::io::read_structure(path);
            ADD_FAILURE() << "a truncated gzip file was read";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("truncated"), std::string::npos)
                << error.what();
        }
        std::remove(path.c_str());
    }
}

TEST(ReadStructure, ModifiedResiduesMapToTheirParents) {
    const std::vector<std::array<const char*, 4>> cases{
        {"MSE", "HETATM", "MET", "MSE"}, {"SEP", "HETATM", "SER", "SEP"},
        {"TPO", "HETATM", "THR", "TPO"}, {"PTR", "ATOM", "TYR", "PTR"},
        {"HYP", "HETATM", "PRO", "HYP"}, {"CSO", "HETATM", "CYS", "CSO"},
        {"HIP", "ATOM", "HIS", "HIP"},   {"HSP", "ATOM", "HIS", "HIP"},
        {"HID", "ATOM", "HIS", "HIS"},   {"HSE", "ATOM", "HIS", "HIE"},
        {"CYX", "ATOM", "CYS", "CYX"},   {"ASH", "ATOM", "ASP", "ASH"},
        {"GLH", "ATOM", "GLU", "GLH"},   {"LYN", "ATOM", "LYS", "LYN"},
        {"MLY", "HETATM", "LYS", "MLY"}, {"KCX", "HETATM", "LYS", "KCX"},
        {"SEC", "HETATM", "CYS", "SEC"}, {"PCA", "HETATM", "GLN", "PCA"}};
    for (const auto& [name, record, parent, variant] : cases) {
        const Structure s = read_text(pdb({.record = record, .residue = name}));
        ASSERT_EQ(s.atoms.size(), 1u) << name;
        EXPECT_EQ(s.atoms[0].residue, parent);
        EXPECT_EQ(s.atoms[0].variant, variant);
    }
}

TEST(ReadStructure, SkipsAndCountsWhatIsNotProtein) {
    const Structure s = read_text(
        glycine_pdb.substr(0, glycine_pdb.find("TER")) +
        pdb({.name = " H  ", .residue = "GLY", .element = " H"}) +
        pdb({.name = " D  ", .residue = "GLY", .element = " D"}) +
        pdb({.record = "HETATM",
             .name = " O  ",
             .residue = "HOH",
             .number = 301,
             .element = " O"}) +
        pdb({.name = " O  ", .residue = "WAT", .number = 302, .element = " O"}) +
        pdb({.record = "HETATM",
             .name = "ZN  ",
             .residue = " ZN",
             .number = 303,
             .element = "ZN"}) +
        pdb({.record = "HETATM", .name = " C1 ", .residue = "NAG", .number = 304}) +
        pdb({.record = "HETATM",
             .name = " CA ",
             .residue = "GLU",
             .number = 305}) +  // a free ligand
        pdb({.record = "HETATM", .name = " C1 ", .residue = "UNK", .number = 306}) +
        pdb({.name = " P  ", .residue = " DA", .chain = 'D', .number = 1, .element = " P"}));
    EXPECT_EQ(s.atoms.size(), 4u);
    EXPECT_EQ(s.hydrogens_dropped, 2);
    EXPECT_EQ(s.waters_skipped, 2);
    EXPECT_EQ(s.hetero_atoms_skipped, 4);
    EXPECT_EQ(s.nucleic_atoms_skipped, 1);
}

TEST(ReadStructure, TakesElementsFromNamesWhereTheColumnIsMissing) {
    std::string text;
    for (const char* name :
         {" N  ", " CA ", "CA  ", "1HB ", "HG11", " OD1", " SD ", "HD21", " DA "})
        text += pdb({.name = name, .residue = "MET"}).substr(0, 66) + "\n";
    const Structure s = read_text(text);  // the second CA is the first one again
    ASSERT_EQ(s.atoms.size(), 4u);
    EXPECT_EQ(s.atoms[1].element, "C");
    EXPECT_EQ(s.atoms[2].element, "O");
    EXPECT_EQ(s.atoms[3].element, "S");
    EXPECT_EQ(s.hydrogens_dropped, 4);
}

TEST(ReadStructure, KeepsTheConformerOfHighestOccupancyFirstOnTies) {
    const Structure s =
        read_text(pdb({.name = " CA ", .alternate = 'A', .x = 1, .occupancy = 0.4}) +
                  pdb({.name = " CA ", .alternate = 'B', .x = 2, .occupancy = 0.6}) +
                  pdb({.name = " CB ", .alternate = 'A', .x = 3, .occupancy = 0.4}) +
                  pdb({.name = " CB ", .alternate = 'B', .x = 4, .occupancy = 0.6}) +
                  pdb({.name = " C  ", .x = 5}) +
                  pdb({.alternate = 'A', .number = 2, .x = 6, .occupancy = 0.5}) +
                  pdb({.alternate = 'B', .number = 2, .x = 7, .occupancy = 0.5}));
    ASSERT_EQ(s.atoms.size(), 4u);
    EXPECT_EQ(s.atoms[0].position.x, 2);
    EXPECT_EQ(s.atoms[1].position.x, 4);
    EXPECT_EQ(s.atoms[2].position.x, 5);
    EXPECT_EQ(s.atoms[3].position.x, 6);
    EXPECT_EQ(s.alternate_locations_dropped, 3);
}

TEST(ReadStructure, TakesNoOccupancyOrBFactorThatIsNotANumber) {
    std::string text = pdb({.alternate = 'A', .x = 1, .occupancy = INFINITY}) +
                       pdb({.alternate = 'B', .x = 2, .occupancy = 1.5});
    text.replace(text.find(" 20.00"), 6, "   nan");
    const Structure s = read_text(text + pdb({.name = " CB "}));
    ASSERT_EQ(s.atoms.size(), 2u);
    EXPECT_EQ(s.atoms[0].position.x, 2);
    text.replace(text.find("  1.50"), 6, "  0.50");
    EXPECT_EQ(read_text(text).atoms[0].b_factor, 0);
}

TEST(ReadStructure, OfTwoResiduesAtOnePlaceKeepsTheMoreOccupied) {
    const Structure s =
        read_text(pdb({.alternate = 'A', .residue = "SER", .x = 1, .occupancy = 0.3}) +
                  pdb({.alternate = 'B', .residue = "THR", .x = 2, .occupancy = 0.7}));
    ASSERT_EQ(s.atoms.size(), 1u);
    EXPECT_EQ(s.atoms[0].residue, "THR");
    EXPECT_EQ(s.alternate_locations_dropped, 1);
}

TEST(ReadStructure, KeepsInsertionCodesApartAndUsesTheFirstModel) {
    const Structure s = read_text("MODEL        1\n" + pdb({.number = 52}) +
                                  pdb({.number = 52, .insertion = 'A', .x = 4}) +
                                  "ENDMDL\nMODEL        2\n" + pdb({.number = 99}) + "ENDMDL\n");
    ASSERT_EQ(s.atoms.size(), 2u);
    EXPECT_EQ(s.atoms[1].insertion_code, 'A');
    EXPECT_EQ(s.warnings.size(), 1u);
}

TEST(ReadStructure, UsesTheFirstModelWhereNoEndmdlStandsBetweenThem) {
    const Structure s = read_text("MODEL        1\n" + pdb({.number = 52}) + "MODEL        2\n" +
                                  pdb({.number = 99}) + "END\n");
    ASSERT_EQ(s.atoms.size(), 1u);
    EXPECT_EQ(s.atoms[0].residue_number, 52);
    ASSERT_EQ(s.warnings.size(), 1u);
    EXPECT_NE(s.warnings[0].find("only the first model"), std::string::npos);
}

TEST(ReadStructure, TellsOfAtomsThatLieOnOthers) {
    const std::string one = pdb({.number = 1}), elsewhere = pdb({.number = 2, .x = 9});
    EXPECT_TRUE(read_text(one + elsewhere).warnings.empty());
    const Structure s = read_text(one + elsewhere + pdb({.chain = 'B'}) + pdb({.chain = 'C'}));
    ASSERT_EQ(s.warnings.size(), 1u);
    EXPECT_NE(s.warnings[0].find("2 of 4 atoms"), std::string::npos) << s.warnings[0];
}

TEST(ReadStructure, SegmentsFollowTerAndChains) {
    const Structure s = read_text(pdb({.chain = ' '}) + pdb({.chain = ' ', .number = 2}) + "TER\n" +
                                  pdb({.chain = ' '}) + pdb({.chain = 'B'}));
    ASSERT_EQ(s.atoms.size(), 4u);
    EXPECT_EQ(s.atoms[0].chain, "");
    EXPECT_EQ(s.atoms[1].segment, 0);
    EXPECT_EQ(s.atoms[2].segment, 1);
    EXPECT_EQ(s.atoms[3].segment, 2);
    EXPECT_EQ(read_text(pdb({.chain = ' '}) + pdb({.chain = 'B'}), {"_"}).atoms.size(), 1u);
}

TEST(ReadStructure, SelectsChainsAndNamesThoseThereAre) {
    const std::string text = pdb({.chain = 'A'}) + pdb({.chain = 'B'}) +
                             pdb({.record = "HETATM", .residue = "HOH", .chain = 'W'});
    const Structure s = read_text(text, {"B"});
    ASSERT_EQ(s.atoms.size(), 1u);
    EXPECT_EQ(s.atoms[0].chain, "B");
    EXPECT_NE(error_of(text, {"C"}).find("chains A, B"), std::string::npos);
    EXPECT_NE(error_of(text, {"W"}).find("no protein atoms in chain 'W'"), std::string::npos);
}

TEST(ReadStructure, ReadsNamesOfSimulationPrograms) {
    const Structure s =
        read_text("ATOM      1  N   NALAA   1       1.000   2.000   3.000  1.00  0.00\n"
                  "ATOM      2  CD  ILE A   2       1.000   2.000   3.000  1.00  0.00\n"
                  "ATOM      3  OT1 ILE A   2       1.000   2.000   3.000  1.00  0.00\n"
                  "ATOM      4  OT2 ILE A   2       1.000   2.000   3.000  1.00  0.00\n"
                  "ATOM      5  OH2 TIP3W   3       1.000   2.000   3.000  1.00  0.00\n"
                  "ATOM      6  CA  ALA AA000       1.000   2.000   3.000  1.00  0.00\n");
    ASSERT_EQ(s.atoms.size(), 5u);
    EXPECT_EQ(s.atoms[0].residue, "ALA");
    EXPECT_EQ(s.atoms[0].chain, "A");
    EXPECT_EQ(s.atoms[1].name, "CD1");
    EXPECT_EQ(s.atoms[2].name, "O");
    EXPECT_EQ(s.atoms[3].name, "OXT");
    EXPECT_EQ(s.atoms[4].residue_number, 10000);  // hybrid-36
    EXPECT_EQ(s.waters_skipped, 1);
}

}  // namespace
