// Reading of PDB and mmCIF files: what is kept, what is left out, and one clear line for bad files.
#include "io/structure.hpp"

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "core/error.hpp"
#include "io/pdb_writer.hpp"

namespace {

using tessera::Error;
using tessera::io::Structure;

std::string temporary_path(const std::string& name) {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    return testing::TempDir() + "tessera_" + std::to_string(getpid()) + "_" + test->name() + "_" +
           name;
}

std::string write_file(const std::string& name, const std::string& text) {
    const std::string path = temporary_path(name);
    std::ofstream(path, std::ios::binary) << text;
    return path;
}

Structure read_text(const std::string& text, const std::vector<std::string>& chains = {}) {
    const std::string path = write_file("in", text);
    try {
        Structure structure = tessera::io::read_structure(path, chains);
        std::remove(path.c_str());
        return structure;
    } catch (...) {
        std::remove(path.c_str());
        throw;
    }
}

std::string error_of(const std::string& text, const std::vector<std::string>& chains = {}) {
    try {
        read_text(text, chains);
    } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << "more than one line";
        return error.what();
    }
    return "no error";
}

struct Line {
    const char* record = "ATOM  ";
    const char* name = " CA ";
    char alternate = ' ';
    const char* residue = "ALA";
    char chain = 'A';
    int number = 1;
    char insertion = ' ';
    double x = 1, y = 2, z = 3;
    double occupancy = 1;
    const char* element = " C";
};

std::string pdb(const Line& line) {
    char text[100];
    std::snprintf(text, sizeof text,
                  "%-6s%5d %-4s%c%-3s %c%4d%c   %8.3f%8.3f%8.3f%6.2f%6.2f          %2s\n",
                  line.record, 1, line.name, line.alternate, line.residue, line.chain, line.number,
                  line.insertion, line.x, line.y, line.z, line.occupancy, 20.0, line.element);
    return text;
}

const std::string glycine_pdb =
    "HEADER    TEST\n" + pdb({.name = " N  ", .residue = "GLY", .x = -1.5, .element = " N"}) +
    pdb({.name = " CA ", .residue = "GLY"}) + pdb({.name = " C  ", .residue = "GLY", .y = 4.25}) +
    pdb({.name = " O  ", .residue = "GLY", .z = 5, .element = " O"}) + "TER\nEND\n";

const std::string glycine_cif = R"(data_TEST
loop_
_atom_site.group_PDB
_atom_site.id
_atom_site.type_symbol
_atom_site.label_atom_id
_atom_site.label_alt_id
_atom_site.label_comp_id
_atom_site.label_asym_id
_atom_site.label_seq_id
_atom_site.pdbx_PDB_ins_code
_atom_site.Cartn_x
_atom_site.Cartn_y
_atom_site.Cartn_z
_atom_site.occupancy
_atom_site.B_iso_or_equiv
_atom_site.auth_seq_id
_atom_site.auth_asym_id
_atom_site.pdbx_PDB_model_num
ATOM   1 N  N  . GLY A 1 ? -1.5 2.0  3.0 1.00 20.0 1 X 1
ATOM   2 C  CA . GLY A 1 ? 1.0  2.0  3.0 1.00 20.0 1 X 1
ATOM   3 C  C  . GLY A 1 ? 1.0  4.25 3.0 1.00 20.0 1 X 1
ATOM   4 O  O  . GLY A 1 ? 1.0  2.0  5.0 1.00 20.0 1 X 1
HETATM 5 SE SE . MSE A 2 A 9.0  2.0  5.0 1.00 20.0 1 X 1
HETATM 6 O  O  . HOH B . ? 7.0  2.0  5.0 1.00 20.0 5 X 1
ATOM   7 N  N  . GLY A 1 ? 99.0 2.0  3.0 1.00 20.0 1 X 2
#
)";

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

TEST(ReadStructure, SaysInOneLineWhatIsWrongWithAFile) {
    const auto expect = [](const std::string& text, const std::string& part) {
        EXPECT_NE(error_of(text).find(part), std::string::npos)
            << error_of(text) << "\nlacks: " << part;
    };
    expect("", "empty");
    expect(" \n\n", "blanks");
    expect("REMARK nothing here\n", "no ATOM or HETATM");
    expect("<!DOCTYPE html>\n<html>404</html>\n", "web page");
    expect(std::string("\x7f"
                       "ELF\0\0\1\2",
                       9),
           "binary");
    expect(pdb({.name = " P  ", .residue = " DG", .element = " P"}), "1 nucleic-acid atoms");
    expect(pdb({.record = "HETATM", .residue = "HOH"}), "1 waters");
    expect("REMARK\n" + pdb({}) + pdb({}).substr(0, 40),
           "line 3: the ATOM record is cut short after 40");
    expect(pdb({}) + "ATO", "line 2");
    std::string line = pdb({});
    expect(line.replace(38, 8, "     nan"), "line 1: a coordinate is not a finite number");
    expect(line.replace(38, 8, "9999999."), "beyond 100000");
    expect(line.replace(38, 8, "  1.0.00"), "the y coordinate '  1.0.00' is not a number");
    line = pdb({});
    expect(line.replace(22, 4, "****"), "residue number '****'");
    expect(glycine_cif.substr(0, glycine_cif.find("ATOM   4") + 20), "mmCIF");
    expect("data_x\n_cell.length_a 1\n", "no _atom_site");
    std::string cif = glycine_cif;
    expect(cif.replace(cif.find("4.25"), 4, "?   "), "atom 3: a coordinate is not a finite number");
    std::string garbage(5000, ' ');
    std::mt19937 random(1);
    for (char& c : garbage) c = static_cast<char>(random() & 255);
    expect(garbage, "binary");
    EXPECT_THROW(tessera::io::read_structure(testing::TempDir()), Error);
    EXPECT_THROW(tessera::io::read_structure(temporary_path("missing")), Error);
}

// Changes, cuts, repeats and deletes bytes at random; whatever comes out must be read or refused.
std::string mutated(std::string text, std::mt19937& random) {
    const auto below = [&](std::size_t n) { return n ? random() % n : 0; };
    for (std::size_t changes = 1 + below(6); changes > 0 && !text.empty(); --changes) {
        const std::size_t at = below(text.size());
        const std::size_t length = std::min(below(100), text.size() - at);
        switch (below(6)) {
            case 0: text[at] = static_cast<char>(32 + below(95)); break;
            case 1: text[at] = static_cast<char>(below(256)); break;
            case 2: text.erase(at, length); break;
            case 3: text.insert(at, text.substr(below(text.size()), 50)); break;
            case 4: text.resize(at); break;
            default: text[at] = "\n'\";#_ \t.?0-"[below(13)]; break;
        }
    }
    return text;
}

TEST(ReadStructure, MutatedFilesAreReadOrRefusedButNeverCrash) {
    std::mt19937 random(20261120);
    int read = 0, refused = 0;
    const std::string path = temporary_path("fuzz");
    const auto start = std::chrono::steady_clock::now();
    for (int round = 0; round < 2000; ++round) {
        std::ofstream(path, std::ios::binary)
            << mutated(round % 2 ? glycine_pdb : glycine_cif, random);
        try {
            EXPECT_FALSE(tessera::io::read_structure(path).atoms.empty());
            ++read;
        } catch (const Error& error) {
            EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
            ++refused;
        }
        if (std::chrono::steady_clock::now() - start > std::chrono::milliseconds(1200))
            break;  // a bound for slow machines; the sequence itself is fixed
    }
    std::remove(path.c_str());
    EXPECT_GT(read, 0);
    EXPECT_GT(refused, 0);
}

// ------------------------------------------------------------------------------------ writing

std::vector<std::string> lines_of(const std::string& path) {
    std::ifstream file(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
}

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
