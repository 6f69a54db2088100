// Files that are no structures: one clear line, and never a crash.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <random>

#include "core/error.hpp"
#include "io/proteins/structure.hpp"
#include "structure_texts.hpp"

namespace {

using tessera::Error;
using namespace tessera::test;

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

}  // namespace
