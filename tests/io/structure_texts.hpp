// Files of structures for tests, as texts.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "io/proteins/structure.hpp"

namespace tessera::test {

/// A name for a file of the running test.
inline std::string temporary_path(const std::string& name) {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    return testing::TempDir() + "tessera_" + std::to_string(getpid()) + "_" + test->name() + "_" +
           name;
}

inline std::string write_file(const std::string& name, const std::string& text) {
    const std::string path = temporary_path(name);
    std::ofstream(path, std::ios::binary) << text;
    return path;
}

inline io::Structure read_text(const std::string& text,
                               const std::vector<std::string>& chains = {}) {
    const std::string path = write_file("in", text);
    try {
        io::Structure structure = io::read_structure(path, chains);
        std::remove(path.c_str());
        return structure;
    } catch (...) {
        std::remove(path.c_str());
        throw;
    }
}

/// The one line that the reader says of a bad file.
inline std::string error_of(const std::string& text, const std::vector<std::string>& chains = {}) {
    try {
        read_text(text, chains);
    } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << "more than one line";
        return error.what();
    }
    return "no error";
}

/// Of a PDB file.
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

inline std::string pdb(const Line& line) {
    char text[100];
    std::snprintf(text, sizeof text,
                  "%-6s%5d %-4s%c%-3s %c%4d%c   %8.3f%8.3f%8.3f%6.2f%6.2f          %2s\n",
                  line.record, 1, line.name, line.alternate, line.residue, line.chain, line.number,
                  line.insertion, line.x, line.y, line.z, line.occupancy, 20.0, line.element);
    return text;
}

inline const std::string glycine_pdb =
    "HEADER    TEST\n" + pdb({.name = " N  ", .residue = "GLY", .x = -1.5, .element = " N"}) +
    pdb({.name = " CA ", .residue = "GLY"}) + pdb({.name = " C  ", .residue = "GLY", .y = 4.25}) +
    pdb({.name = " O  ", .residue = "GLY", .z = 5, .element = " O"}) + "TER\nEND\n";

inline const std::string glycine_cif = R"(data_TEST
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

inline std::vector<std::string> lines_of(const std::string& path) {
    std::ifstream file(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
}

}  // namespace tessera::test
