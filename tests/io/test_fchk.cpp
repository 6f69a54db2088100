// Formatted checkpoint texts, the order of their functions, and one clear line for bad ones.
#include "io/wavefunctions/fchk_reader.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "support/fchk_text.hpp"
#include "support/mutated_text.hpp"

namespace {

using tessera::Error;
using tessera::io::Spin;
using tessera::io::Wavefunction;
using tessera::test::FchkText;

std::vector<double> numbers(std::size_t count) {
    std::vector<double> values(count);
    std::iota(values.begin(), values.end(), 1.0);
    return values;
}

// Carbon and hydrogen: an sp shell, and one shell of the given type on carbon.
FchkText geometry_and_basis(int type) {
    FchkText file;
    file.scalar("Number of atoms", 2)
        .scalar("Number of alpha electrons", 2)
        .scalar("Number of beta electrons", 1)
        .array("Atomic numbers", std::vector<int>{6, 1})
        .array("Nuclear charges", std::vector<double>{6, 1})
        .array("Current cartesian coordinates", std::vector<double>{0, 0, 0.5, 1.5, 0, -1})
        .array("Shell types", std::vector<int>{-1, type, 0})
        .array("Number of primitives per shell", std::vector<int>{2, 1, 1})
        .array("Shell to atom map", std::vector<int>{1, 1, 2})
        .array("Primitive exponents", std::vector<double>{3, 0.7, 0.9, 0.5})
        .array("Contraction coefficients", std::vector<double>{0.1, 0.3, 1, 1})
        .array("P(S=P) Contraction coefficients", std::vector<double>{0.2, 0.4, 0, 0});
    return file;
}

// The functions of each orbital are numbered 1, 2, 3, ... on through all orbitals.
std::string with_orbitals(int type, std::size_t functions, bool beta = false) {
    FchkText file = geometry_and_basis(type);
    file.array("Alpha Orbital Energies", std::vector<double>{-1, -0.5, 0.5});
    if (beta) file.array("Beta Orbital Energies", std::vector<double>{-0.9, -0.4, 0.6});
    file.array("Alpha MO coefficients", numbers(3 * functions));
    if (beta) file.array("Beta MO coefficients", numbers(3 * functions));
    return file.text();
}

Wavefunction read(const std::string& text) {
    const tessera::io::TextSource source{"in.fchk", text};
    EXPECT_TRUE(tessera::io::is_fchk(source));
    return tessera::io::read_fchk(source);
}

TEST(Fchk, ReadsAtomsShellsAndOrbitals) {
    const Wavefunction w = read(with_orbitals(2, 11));
    EXPECT_EQ(w.title, "title of the run");
    ASSERT_EQ(w.nuclei.size(), 2u);
    EXPECT_EQ(w.nuclei[0].symbol, "C");
    EXPECT_EQ(w.nuclei[1].position.x, 1.5);
    ASSERT_EQ(w.shells.size(), 4u);
    EXPECT_EQ(w.shells[1].l, 1);
    EXPECT_EQ(w.shells[1].coefficients, (std::vector<double>{0.2, 0.4}));
    EXPECT_EQ(w.shells[2].l, 2);
    EXPECT_FALSE(w.shells[2].spherical);
    EXPECT_EQ(w.shells[3].atom, 1);
    EXPECT_EQ(w.shells[3].exponents, std::vector<double>{0.5});
    ASSERT_EQ(w.orbitals.size(), 3u);
    EXPECT_EQ(w.orbitals[0].occupation, 2);
    EXPECT_EQ(w.orbitals[1].occupation, 1);
    EXPECT_EQ(w.orbitals[2].occupation, 0);
    EXPECT_EQ(w.orbitals[1].energy, -0.5);
    EXPECT_EQ(w.orbitals[0].coefficients, numbers(11)) << "d: the same order as in Molden files";
    EXPECT_EQ(w.orbitals[2].coefficients[0], 23);
}

TEST(Fchk, UnrestrictedOrbitalsFollowWithTheirOwnOccupations) {
    const Wavefunction w = read(with_orbitals(-2, 10, true));
    EXPECT_TRUE(w.shells[2].spherical);
    ASSERT_EQ(w.orbitals.size(), 6u);
    const std::vector<double> occupations{1, 1, 0, 1, 0, 0};
    for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_EQ(w.orbitals[i].occupation, occupations[i]);
        EXPECT_EQ(w.orbitals[i].spin, i < 3 ? Spin::alpha : Spin::beta);
    }
    EXPECT_EQ(w.orbitals[3].energy, -0.9);
}

// Gaussian: zzzz yzzz yyzz yyyz yyyy xzzz xyzz xyyz xyyy xxzz xxyz xxyy xxxz xxxy xxxx
TEST(Fchk, CartesianGComesIntoMoldensOrder) {
    const Wavefunction w = read(with_orbitals(4, 20));
    const std::vector<double> g(w.orbitals[0].coefficients.begin() + 4,
                                w.orbitals[0].coefficients.begin() + 19);
    // xxxx yyyy zzzz xxxy xxxz yyyx yyyz zzzx zzzy xxyy xxzz yyzz xxyz yyxz zzxy; s and p before it
    const std::vector<double> expected{15, 5, 1, 14, 13, 9, 4, 6, 2, 12, 10, 3, 11, 8, 7};
    for (std::size_t i = 0; i < 15; ++i) EXPECT_EQ(g[i], expected[i] + 4) << i;
    EXPECT_EQ(w.orbitals[0].coefficients[19], 20);
}

TEST(Fchk, OtherShellsKeepTheirOrder) {
    EXPECT_EQ(read(with_orbitals(3, 15)).orbitals[0].coefficients, numbers(15));
    EXPECT_EQ(read(with_orbitals(-3, 12)).orbitals[0].coefficients, numbers(12));
    EXPECT_EQ(read(with_orbitals(-4, 14)).orbitals[0].coefficients, numbers(14));
    EXPECT_EQ(read(with_orbitals(-5, 16)).orbitals[0].coefficients, numbers(16));
}

// Of a file with one more entry; none where `part` is empty.
void expect_warning(const FchkText& more, const std::string& part) {
    const std::string head = FchkText().text();
    const auto warnings = read(with_orbitals(2, 11) + more.text().substr(head.size())).warnings;
    ASSERT_EQ(warnings.size(), part.empty() ? 0u : 1u);
    if (part.empty()) return;
    EXPECT_NE(warnings[0].find(part), std::string::npos) << warnings[0];
}

TEST(Fchk, PseudopotentialsAndCellsAreToldOf) {
    const std::vector<double> some{2, 0}, none{0, 0};
    expect_warning(FchkText().array("ECP-RNFroz", some), "pseudopotentials (entry ECP-RNFroz)");
    expect_warning(FchkText().array("ECP-RNFroz", none), "");
    const std::string head = FchkText().text();
    const std::string core = FchkText().array("ECP-RNFroz", some).text().substr(head.size());
    EXPECT_EQ(read(with_orbitals(2, 11) + core).nuclei[0].charge_without_core(), 4);
    expect_warning(FchkText().scalar("Number of translation vectors", 3), "periodic system");
    expect_warning(FchkText().scalar("Number of translation vectors", 0), "");
    std::string text = with_orbitals(2, 11);
    const std::string six = "6.000000000000000E+00";
    text.replace(text.find(six, text.find("Nuclear charges")), six.size(), "4.000000000000000E+00");
    EXPECT_EQ(read(text).nuclei[0].charge, 6);
    EXPECT_EQ(read(text).nuclei[0].charge_without_core(), 4);
    const auto warnings = read(text).warnings;
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find("atom 1, C, has the charge 4"), std::string::npos) << warnings[0];
}

std::string with_vectors(int count, const std::vector<double>& vectors) {
    const std::string head = FchkText().text();
    const FchkText more = FchkText()
                              .scalar("Number of translation vectors", count)
                              .array("Translation vectors", vectors);
    return with_orbitals(2, 11) + more.text().substr(head.size());
}

TEST(Fchk, TranslationVectorsAreACell) {
    const Wavefunction crystal = read(with_vectors(3, {9, 0, 0, 1, 8, 0, -1, 2, 7}));
    ASSERT_TRUE(crystal.lattice);
    EXPECT_EQ(crystal.lattice->vectors[1].x, 1);
    EXPECT_EQ(crystal.lattice->vectors[2].z, 7);
    EXPECT_EQ(crystal.repeated_directions, 3);
    ASSERT_EQ(crystal.warnings.size(), 1u);
    EXPECT_NE(crystal.warnings[0].find("(entry Translation vectors): its orbitals are taken as"),
              std::string::npos)
        << crystal.warnings[0];
    for (const int directions : {1, 2}) {
        const std::vector<double> vectors{3, 4, 0, -8, 6, 0};
        const Wavefunction other =
            read(with_vectors(directions, {vectors.begin(), vectors.begin() + 3 * directions}));
        EXPECT_EQ(other.repeated_directions, directions);
        const auto& [a, b, c] = other.lattice->vectors;
        EXPECT_EQ(norm(a), 5);
        EXPECT_EQ(b.x, directions == 2 ? -8 : b.x);
        EXPECT_NEAR(norm(b), directions == 2 ? 10 : 9e4, 1e-9);
        EXPECT_NEAR(norm(c), 9e4, 1e-9);
        EXPECT_NEAR(dot(a, c) + dot(b, c) + dot(a, b), 0, 1e-6);
    }
}

std::string fchk_error(const std::string& text) {
    try {
        read(text);
    } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
        EXPECT_NE(std::string(error.what()).find("in.fchk"), std::string::npos);
        return error.what();
    }
    return "no error";
}

void expect_error(const std::string& text, const std::string& part) {
    const std::string line = fchk_error(text);
    EXPECT_NE(line.find(part), std::string::npos) << line;
}

TEST(Fchk, TranslationVectorsWithoutACellAreRefused) {
    expect_error(with_vectors(3, {9, 0, 0, 1, 8, 0}), "Translation vectors");
    expect_error(with_vectors(2, {9, 0, 0, 18, 0, 0}), "no volume");
    expect_error(with_vectors(1, {0, 0, 0}), "between 1 and 1e5");
    expect_error(with_vectors(4, {9, 0, 0, 0, 9, 0, 0, 0, 9, 9, 9, 9}), "have 12 numbers");
}

std::string replaced(const std::string& what, const std::string& by) {
    std::string text = with_orbitals(2, 11);
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return text.replace(at, what.size(), by);
}

TEST(Fchk, BadFilesGetOneClearLine) {
    const std::string whole = with_orbitals(2, 11);
    expect_error(geometry_and_basis(2).text(), "without orbitals");
    expect_error(whole.substr(0, whole.size() - 100),
                 "the file ends within 'Alpha MO coefficients'");
    expect_error(whole.substr(0, whole.find("Alpha Orbital")), "without orbitals");
    expect_error(replaced("Shell types ", "Shall types "), "'Shell types' is missing");
    expect_error(replaced("P(S=P)", "P(S=Q)"), "P(S=P)");
    expect_error(replaced("7.000000000000000E-01", "seven"),
                 "'seven' is not a value of 'Primitive exponents'");
    expect_error(replaced("3.000000000000000E+00", "NaN"), "'NaN' is not a value");
    expect_error(replaced("3.000000000000000E+00", "-3.0"), "exponent");
    expect_error(with_orbitals(7, 30), "unknown shell type 7");
    expect_error(with_orbitals(2, 12), "36 orbital coefficients for 11");
    expect_error(replaced("           2           1           1\n",
                          "         999           1           1\n"),
                 "999 primitives");
    expect_error(replaced("           1           1           2\n",
                          "           1           1           9\n"),
                 "atom 9");
    expect_error(replaced("N=           3", "N=           2"), "values");
    expect_error(replaced("N=           4", "N=  2000000000"), "");
}

TEST(Fchk, CutFilesAreRefused) {
    const std::string whole = with_orbitals(2, 11);
    for (std::size_t size = whole.find("Atomic"); size + 1 < whole.size(); ++size)
        EXPECT_NE(fchk_error(whole.substr(0, size)), "no error") << size;
    EXPECT_EQ(fchk_error(whole.substr(0, whole.size() - 1)), "no error") << "every digit is there";
}

TEST(Fchk, UnrestrictedFilesCutAfterAnySpinAreRefused) {
    const std::string whole = with_orbitals(2, 11, true);
    for (std::size_t size = whole.find("Alpha MO"); size + 1 < whole.size(); ++size)
        EXPECT_NE(fchk_error(whole.substr(0, size)), "no error") << size;
    expect_error(whole.substr(0, whole.find("Beta MO")), "'Beta MO coefficients' is missing");
}

TEST(Fchk, NumbersThatLostTheirExponentAreRefused) {
    for (const char* const cut : {"7.000000000000000E-0", "7.000000000000000", "7.0", "7", "-70"})
        expect_error(replaced("7.000000000000000E-01", cut), "no complete exponent");
    for (const char* const whole : {"7.0E-01", "7.0e-01", "7.0D-01", "7.0D-001", "7.0-001"})
        EXPECT_EQ(fchk_error(replaced("7.000000000000000E-01", whole)), "no error") << whole;
    expect_error(replaced("3.000000000000000E+00", "-3.0E+00"), "within 1e-10");
}

// The same file with a head of its own.
std::string with_head(int alpha, int beta, const char* count = nullptr, int value = 0) {
    FchkText head;
    head.scalar("Number of atoms", 2)
        .scalar("Number of alpha electrons", alpha)
        .scalar("Number of beta electrons", beta);
    if (count) head.scalar(count, value);
    const std::string whole = with_orbitals(2, 11);
    return head.text() + whole.substr(whole.find("Atomic numbers"));
}

TEST(Fchk, CountsOfTheHeadMustFitTheArrays) {
    EXPECT_EQ(fchk_error(with_head(3, 3)), "no error");
    expect_error(with_head(4, 1), "4 electrons of one spin in 3 orbitals");
    expect_error(with_head(2, 3), "3 beta electrons, but 2 alpha");
    EXPECT_EQ(fchk_error(with_head(2, 1, "Number of basis functions", 11)), "no error");
    expect_error(with_head(2, 1, "Number of basis functions", 10), "is 10, but 11 of the shells");
    for (const char* const name :
         {"Number of independent functions", "Number of independant functions"}) {
        EXPECT_EQ(fchk_error(with_head(2, 1, name, 3)), "no error");
        expect_error(with_head(2, 1, name, 7), "is 7, but 3 in 'Alpha MO coefficients'");
    }
}

TEST(Fchk, ContractionsThatCancelAreRefused) {
    std::string text = replaced("3.000000000000000E+00", "7.000000000000000E-01");
    const std::string sp = "2.000000000000000E-01";  // the first of the p functions
    text.replace(text.find(sp), sp.size(), "-4.00000000000000E-01");
    expect_error(text, "shell 2 (p) of atom 1 (C) cancel");
}

TEST(Fchk, MutatedTextsAreReadOrRefused) {
    std::mt19937 random(20102);
    const std::string good = with_orbitals(4, 20, true);
    int refused = 0;
    for (int i = 0; i < 6000; ++i) {
        const tessera::io::TextSource source{"in.fchk", tessera::test::mutated(good, random)};
        try {
            if (tessera::io::is_fchk(source)) tessera::io::read_fchk(source);
        } catch (const Error& error) {
            ++refused;
            ASSERT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
        }
    }
    EXPECT_GT(refused, 600);
    EXPECT_LT(refused, 6000);
}

}  // namespace
