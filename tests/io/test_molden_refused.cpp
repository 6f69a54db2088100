// One clear line for bad Molden texts.
#include <gtest/gtest.h>

#include <regex>

#include "molden_texts.hpp"
#include "support/mutated_text.hpp"

namespace {

using namespace tessera::test::molden;
using tessera::Error;

std::string molden_error(const std::string& text) {
    try {
        read(text);
    } catch (const Error& error) {
        const std::string line = error.what();
        EXPECT_EQ(line.find('\n'), std::string::npos);
        EXPECT_TRUE(std::regex_search(line, std::regex("'in\\.molden:[0-9]+'"))) << line;
        return line;
    }
    return "no error";
}

std::string replaced(const std::string& what, const std::string& by, std::string text = water()) {
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return text.replace(at, what.size(), by);
}

void expect_error(const std::string& text, const std::string& part) {
    const std::string line = molden_error(text);
    EXPECT_NE(line.find(part), std::string::npos) << line;
}

TEST(Molden, BadFilesGetOneClearLine) {
    const std::string head = "[Molden Format]\n" + atoms;
    expect_error("[Molden Format\n", "has no ']'");
    expect_error(head + basis, "without orbitals");
    expect_error(head + basis + "[MO]\n", "without orbitals");
    expect_error(head + "[MO]\n" + orbital(8), "no basis");
    expect_error(head + "[GTO]\n[MO]\n" + orbital(8), "without basis");
    expect_error(head + "[GTO]\n1 0\ns 1\n1 1\n[MO]\n" + orbital(1), "atom 2 (H) has no basis");
    expect_error("[Molden Format]\n" + basis + "[MO]\n" + orbital(8), "no atoms");
    expect_error(replaced(" d 1", " k 1"), "unknown shell type 'k'");
    expect_error(replaced(" d 1", " h 1"), "Cartesian h");
    expect_error(replaced("10.0 0.4", "10.0 zero"), "primitive 1 of 2");
    expect_error(replaced("10.0 0.4", "nan 0.4"), "primitive 1 of 2");
    expect_error(replaced("10.0 0.4", "-10.0 0.4"), "exponent");
    expect_error(replaced(" 2.0 0.7\n", ""), "primitive 2 of 2");
    expect_error(replaced("s 2 1.00", "s 1000000000 1.00"), "1000000000 primitives");
    expect_error(replaced("s 2 1.00", "s"), "number of primitives");
    expect_error(replaced("0.9 1.0", "0.9 0.0"), "are 0");
    expect_error(replaced(" 2 0\n", " 3 0\n"), "atom 3");
    expect_error(replaced("1.5 -0.5", "1.5"), "an atom is not");
    expect_error(replaced("1.5 -0.5", "1.5 inf"), "an atom is not");
    expect_error(replaced("H 2 1", "H 1 1"), "twice");
    expect_error(replaced("(AU)", "(furlong)"), "unknown unit");
    expect_error(replaced(" 8 8.0E-1", " 9 8.0E-1"), "coefficient 9 of a basis of 8");
    expect_error(replaced(" 8 8.0E-1", " 0 8.0E-1"), "coefficient 0");
    expect_error(replaced(" 8 8.0E-1", " 8 nan"), "not 'index value'");
    expect_error(replaced("Ene= -0.5", "Ene= low"), "energy");
    expect_error(replaced("Spin= Alpha", "Spin= up"), "Alpha nor Beta");
    expect_error(replaced("[MO]\n Sym= A\n Ene= -0.5\n Spin= Alpha\n Occup= 2.0\n", "[MO]\n"),
                 "before the first");
    expect_error(water("", 7), "tag [5D]");
    expect_error(replaced("[GTO]", "[STO]"), "Slater");
}

TEST(Molden, ACoefficientGivenTwiceIsRefused) {
    const std::string line = molden_error(replaced(" 8 8.0E-1", " 7 8.0E-1"));
    EXPECT_NE(line.find("coefficient 7 of orbital 1 is given twice"), std::string::npos) << line;
    EXPECT_NE(line.find("in.molden:29'"), std::string::npos) << line;
}

TEST(Molden, ContractionsThatCancelAreRefused) {
    expect_error(replaced("s 2 1.00\n 10.0 0.4\n 2.0 0.7", "s 2 1.00\n 1.0 1.0\n 1.0 -1.0"),
                 "shell 1 (s) of atom 1 (O) cancel");
    expect_error(replaced("s 1 1.00\n 0.5 1.0", "s 3 1.00\n 0.5 0.1\n 0.5 0.2\n 0.5 -0.3"),
                 "shell 1 (s) of atom 2 (H) cancel");
    EXPECT_EQ(molden_error(replaced("10.0 0.4\n 2.0 0.7", "1.001 1.0\n 1.0 -1.0")), "no error")
        << "nearly equal primitives may have a difference";
}

TEST(Molden, ErrorsNameTheLine) {
    EXPECT_NE(molden_error(replaced("10.0 0.4", "10.0 zero")).find("in.molden:8'"),
              std::string::npos);
}

// Not where only a single orbital is left, which may lack coefficients that are zero.
TEST(Molden, CutFilesAreRefused) {
    const std::string whole = water();
    const std::size_t orbitals = whole.find("[MO]"),
                      second = whole.find("Sym", whole.find("Sym") + 1);
    const std::size_t last = whole.rfind(" 8 8.0E-1");
    for (std::size_t size = 20; size <= last; ++size) {
        const bool one_is_left = size > orbitals + 4 && size < second + 3;
        EXPECT_TRUE(one_is_left || molden_error(whole.substr(0, size)) != "no error") << size;
    }
}

TEST(Molden, MutatedTextsAreReadOrRefused) {
    std::mt19937 random(20101);
    const std::string good = water("[5D]\n", 7) + water();
    int refused = 0;
    for (int i = 0; i < 10000; ++i) {
        const tessera::io::TextSource source{"in.molden", tessera::test::mutated(good, random)};
        try {
            if (tessera::io::is_molden(source)) {
                EXPECT_FALSE(tessera::io::read_molden(source).empty());
            }
        } catch (const Error& error) {
            ++refused;
            ASSERT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
        }
    }
    EXPECT_GT(refused, 1000);
    EXPECT_LT(refused, 10000);
}

}  // namespace
