// Molden texts in all the ways that programs write them.
#include "io/wavefunctions/molden_reader.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <fstream>
#include <regex>

#include "io/temporary_folder.hpp"
#include "molden_texts.hpp"

namespace {

using namespace tessera::test::molden;
using tessera::Error;
using tessera::io::Spin;
using tessera::io::Wavefunction;

TEST(Molden, ReadsAtomsShellsAndOrbitals) {
    const Wavefunction w = read(water());
    ASSERT_EQ(w.nuclei.size(), 2u);
    EXPECT_EQ(w.nuclei[1].symbol, "H");
    EXPECT_EQ(w.nuclei[0].charge, 8);
    EXPECT_EQ(w.nuclei[1].position.y, 1.5);
    ASSERT_EQ(w.shells.size(), 3u);
    EXPECT_EQ(w.shells[0].exponents, (std::vector<double>{10, 2}));
    EXPECT_EQ(w.shells[0].coefficients, (std::vector<double>{0.4, 0.7}));
    EXPECT_EQ(w.shells[1].l, 2);
    EXPECT_FALSE(w.shells[1].spherical);
    EXPECT_EQ(w.shells[2].atom, 1);
    EXPECT_EQ(w.basis_functions(), 8);
    ASSERT_EQ(w.orbitals.size(), 2u);
    EXPECT_EQ(w.orbitals[0].symmetry, "A");
    EXPECT_EQ(w.orbitals[0].energy, -0.5);
    EXPECT_EQ(w.orbitals[0].occupation, 2);
    EXPECT_EQ(w.orbitals[1].coefficients,
              (std::vector<double>{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8}));
    EXPECT_TRUE(w.warnings.empty());
}

std::string the_warning(const std::string& text) {
    const Wavefunction w = read(text);
    EXPECT_EQ(w.warnings.size(), 1u) << text;
    return w.warnings.empty() ? "" : w.warnings[0];
}

TEST(Molden, PseudopotentialsAreToldOf) {
    for (const char* section : {"[Nval]\nO 6\nH 1\n", "[NVAL]\nO 6\n", "[nval]\n O 6\n"})
        expect_part(the_warning(after_atoms(section)),
                    "'in.molden' was made with pseudopotentials (section [nval])");
    expect_part(the_warning(after_atoms("[PSEUDO]\nO 1 6\n")), "(section [pseudo])");
    expect_part(the_warning(after_atoms("[Core]\n2 : 0\nO: 2\n")), "(section [core])");
    expect_part(the_warning(after_atoms("[core]\nO : 2\n[pseudo]\nO 1 6\n[nval]\nO 6\n")),
                "(section [core], [pseudo], [nval])");
    for (const char* none : {"[Core]\nO: 0\n 2 : 0\n", "[Core]\n\n", "[Pseudo]\n"})
        EXPECT_TRUE(read(after_atoms(none)).warnings.empty()) << none;
}

TEST(Molden, ElectronsThatPartialChargesMissAreToldOf) {
    double held = 0;
    const Wavefunction whole = read(after_atoms(""));
    for (const auto& one : whole.orbitals) held += one.occupation;
    double protons = 0;
    for (const auto& nucleus : whole.nuclei) protons += nucleus.charge;
    const auto with = [&](double first) {
        return after_atoms(fmt::format("[Charge] (Mulliken)\n {}\n 0.25\n", first - 0.25));
    };
    const double complete = protons - held;  // the charge of this molecule
    expect_part(the_warning(with(complete - 2)), "and its orbitals hold");
    expect_part(the_warning(with(complete - 2)), fmt::format("has {:.0f} electrons", held + 2));
    EXPECT_TRUE(read(with(complete)).warnings.empty());
    EXPECT_TRUE(read(with(complete + 3)).warnings.empty());
    EXPECT_TRUE(read(after_atoms("[Charge] (Mulliken)\n -9\n")).warnings.empty());  // one atom
    EXPECT_TRUE(read(after_atoms("[Charge]\n -9\n none\n")).warnings.empty());
}

// The atomic number of oxygen and its charge without the core.
using Charges = std::pair<int, double>;

Charges oxygen_with(const std::string& section, const std::string& charge = "8") {
    std::string text = after_atoms(section);
    text.replace(text.find("O 1 8") + 4, 1, charge);
    const auto oxygen = read(text).nuclei.at(0);
    return {oxygen.charge, oxygen.charge_without_core()};
}

TEST(Molden, ThePotentialIsThatOfTheChargeWithoutTheCore) {
    EXPECT_EQ(oxygen_with(""), Charges(8, 8));
    for (const char* section : {"[Nval]\nO 6\nH 1\n", "[Pseudo]\nO 1 6\n", "[Core]\nO: 2\n",
                                "[core]\n1 : 2\n", "[core]\n 1 :2\n[Nval]\n O 6\n"}) {
        EXPECT_EQ(oxygen_with(section), Charges(8, 6)) << section;
        EXPECT_EQ(oxygen_with(section, "6"), Charges(8, 6)) << section << " (reduced)";
    }
    EXPECT_EQ(oxygen_with("", "6"), Charges(6, 6));
}

TEST(Molden, LinesThatFitNoNucleusAreToldOf) {
    for (const char* line :
         {"O", "O six", "N 5", "O 1 6 7", "O 9", "O -1", "O 1e300 6", "O 1.5 6", "7 : 2", "[ 6"}) {
        const Wavefunction w = read(after_atoms("[Nval]\n" + std::string(line) + "\n"));
        ASSERT_EQ(w.warnings.size(), 2u) << line;
        expect_part(w.warnings[1], "of [nval] fits no nucleus");
        EXPECT_EQ(w.nuclei[0].charge_without_core(), 8) << line;
    }
}

TEST(Molden, ChargesBelowTheElementAreToldOf) {
    const auto with = [](const std::string& nucleus) {
        return "[Atoms] (AU)\n " + nucleus + " 0 0 0.25\n H 2 1 0.0 1.5 -0.5\n" + basis + "[MO]\n" +
               orbital(8) + orbital(8);
    };
    expect_part(the_warning(with("Au 1 19")), "(atom 1, Au, has the charge 19)");
    expect_part(the_warning(with("O1 1 6")), "(atom 1, O1, has the charge 6)");
    for (const char* whole : {"O 1 8", "CA 1 6", "CA 1 20", "C12 1 6", "D 1 1", "X 1 0", "O 1 0",
                              "HG11 1 1", "Bq 1 0", "8 1 8"})
        EXPECT_TRUE(read(with(whole)).warnings.empty()) << whole;
}

TEST(Molden, TakesAngstromInAnySpelling) {
    for (const char* unit : {"(Angs)", "Angs", "(ANGS)", "angstrom", " ( angs ) "}) {
        const std::string text = "[Molden Format]\n[ATOMS] " + std::string(unit) +
                                 "\nO 1 8 0 0 0.529177210903\nH 2 1 0 0 1\n" + basis + "[MO]\n" +
                                 orbital(8);
        EXPECT_NEAR(read(text).nuclei[0].position.z, 1, 1e-15) << unit;
    }
    for (const char* unit : {"(AU)", "au", "(Bohr)"})
        EXPECT_EQ(read("[Atoms] " + std::string(unit) + "\nO 1 8 0 0 3\nH 2 1 0 0 1\n" + basis +
                       "[MO]\n" + orbital(8))
                      .nuclei[0]
                      .position.z,
                  3)
            << unit;
    EXPECT_EQ(
        read("[Atoms]\nO 1 8 0 0 3\nH 2 1 0 0 1\n" + basis + "[MO]\n" + orbital(8)).warnings.size(),
        1u);
}

// One shell each of d, f and g on an atom.
std::string with_tags(const std::string& before, const std::string& after, int functions) {
    return "[Molden Format]\n" + before +
           "[Atoms] AU\nNe 1 10 0 0 0\n[GTO]\n1 0\nd 1\n1 1\nf 1\n1 1\ng 1\n1 1\n\n" + after +
           "[MO]\n" + orbital(functions);
}

TEST(Molden, KnowsEveryTagInAnyCaseAndOrder) {
    struct Case {
        const char* tags;
        int d, f, g;
    };
    for (const Case& c :
         {Case{"", 6, 10, 15}, Case{"[5D]\n", 5, 7, 15}, Case{"[5d7f]\n", 5, 7, 15},
          Case{"[5D10F]\n", 5, 10, 15}, Case{"[7F]\n", 6, 7, 15}, Case{"[9g]\n", 6, 10, 9},
          Case{"[6D]\n[10F]\n[15G]\n", 6, 10, 15}, Case{"[5d]\n[7f]\n[9g]\n", 5, 7, 9},
          Case{"[9G]\n[10F]\n[5D]\n", 5, 10, 9}, Case{"[6D7F]\n", 6, 7, 15}}) {
        const int all = c.d + c.f + c.g;
        for (const Wavefunction& w :
             {read(with_tags(c.tags, "", all)), read(with_tags("", c.tags, all)),
              read(with_tags("", "", all).append(c.tags))}) {
            EXPECT_EQ(w.shells[0].functions(), c.d) << c.tags;
            EXPECT_EQ(w.shells[1].functions(), c.f) << c.tags;
            EXPECT_EQ(w.shells[2].functions(), c.g) << c.tags;
        }
    }
}

TEST(Molden, SplitsSpShells) {
    const Wavefunction w =
        read("[Atoms] AU\nC 1 6 0 0 0\n[GTO]\n1 0\n SP 2 1.00\n 3.0 0.1 0.2\n 0.7 0.3 0.4\n"
             " L 1\n 0.2 1 1\n[MO]\n" +
             orbital(8));
    ASSERT_EQ(w.shells.size(), 4u);
    EXPECT_EQ(w.shells[0].l, 0);
    EXPECT_EQ(w.shells[1].l, 1);
    EXPECT_EQ(w.shells[0].coefficients, (std::vector<double>{0.1, 0.3}));
    EXPECT_EQ(w.shells[1].coefficients, (std::vector<double>{0.2, 0.4}));
    EXPECT_EQ(w.shells[1].exponents, (std::vector<double>{3, 0.7}));
}

TEST(Molden, TakesFortranNumbersCrlfAndUnknownSections) {
    std::string text =
        "[Molden Format]\n[Title]\n a test\n\n[FREQ]\n 100.0\n[FR-COORD]\n H 0 0 0\n" + atoms +
        "[GTO] (AU)\n1 0\nS 2 1.00\n1.0D+01 4.0D-01\n+2.0 7.0-1\nd 1\n9.0d-1 1.0\n\n2 0\ns 1\n.5 "
        "1\n\n"
        "[MO]\n" +
        orbital(8) + "[GEOMETRIES] XYZ\n 1\n\nH 0 0 0\n";
    const std::string crlf = std::regex_replace(text, std::regex("\n"), "\r\n");
    for (const std::string& each : {text, crlf}) {
        const Wavefunction w = read(each);
        EXPECT_EQ(w.title, "a test");
        EXPECT_EQ(w.shells[0].exponents, (std::vector<double>{10, 2}));
        EXPECT_EQ(w.shells[0].coefficients, (std::vector<double>{0.4, 0.7}));
        EXPECT_EQ(w.shells[2].exponents[0], 0.5);
        EXPECT_EQ(w.orbitals.at(0).coefficients[7], 0.8);
    }
}

TEST(Molden, LeftOutCoefficientsAreZeroAndFieldsOptional) {
    const Wavefunction w = read("[Molden Format]\n" + atoms + basis +
                                "[MO]\nene=-1.5\nSPIN=beta\nOCCUP=1\n3 0.25\n8 -1\n"
                                "Ene= -1.0\nOccup= 0\nEne= 0.5\n Spin=Alpha\n 1 1E-400\n");
    ASSERT_EQ(w.orbitals.size(), 3u);
    EXPECT_EQ(w.orbitals[0].coefficients, (std::vector<double>{0, 0, 0.25, 0, 0, 0, 0, -1}));
    EXPECT_EQ(w.orbitals[0].spin, Spin::beta);
    EXPECT_EQ(w.orbitals[1].coefficients, std::vector<double>(8, 0.0)) << "all were zero";
    EXPECT_EQ(w.orbitals[1].energy, -1);
    EXPECT_EQ(w.orbitals[2].energy, 0.5);
    EXPECT_EQ(w.orbitals[2].spin, Spin::alpha);
    EXPECT_EQ(w.orbitals[2].coefficients[0], 0) << "underflow";
}

TEST(Molden, KeepsAlphaAndBetaInFileOrder) {
    const std::string beta = " Ene= -0.4\n Spin= Beta\n Occup= 1.0\n";
    const Wavefunction w =
        read("[Molden Format]\n" + atoms + basis + "[MO]\n" + orbital(8) + orbital(8, beta));
    EXPECT_EQ(w.orbitals[0].spin, Spin::alpha);
    EXPECT_EQ(w.orbitals[1].spin, Spin::beta);
    EXPECT_EQ(w.orbitals[1].occupation, 1);
}

TEST(Molden, FramesFollowEachOther) {
    EXPECT_EQ(frames_of(water() + water("[5D]\n", 7) + water()).size(), 3u);
    EXPECT_EQ(frames_of(water() + water("[5D]\n", 7))[1].basis_functions(), 7);
    const std::string without_head = water().substr(water().find("[Atoms]"));
    EXPECT_EQ(frames_of(without_head + without_head).size(), 2u);
    EXPECT_EQ(frames_of("[Molden Format]\n" + water()).size(), 1u) << "a doubled head";
}

TEST(Molden, AtomsMayBeNumberedInAnyWay) {
    const Wavefunction w =
        read("[Atoms] AU\nH 7 1 0 0 1\nO 3 8 0 0 2\n[GTO]\n3 0\ns 1\n2 1\n7 0\ns 1\n1 1\n[MO]\n" +
             orbital(2));
    EXPECT_EQ(w.shells[0].atom, 1);
    EXPECT_EQ(w.shells[1].atom, 0);
}

TEST(Molden, FileMayBePlainOrGzipWhateverItsName) {
    const tessera::test::TemporaryFolder folder;
    std::ofstream(folder / "plain.gz", std::ios::binary) << water();
    const gzFile file = gzopen((folder / "packed").c_str(), "wb");
    gzwrite(file, water().data(), static_cast<unsigned>(water().size()));
    gzclose(file);
    EXPECT_EQ(tessera::io::read_wavefunctions(folder / "plain.gz").at(0).orbitals.size(), 2u);
    EXPECT_EQ(tessera::io::read_wavefunctions(folder / "packed").at(0).orbitals.size(), 2u);
    std::ifstream packed(folder / "packed", std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(packed), {});
    std::ofstream(folder / "cut", std::ios::binary) << bytes.substr(0, bytes.size() / 2);
    EXPECT_THROW(tessera::io::read_wavefunctions(folder / "cut"), Error);
    std::ofstream(folder / "other") << "a page of text\n";
    EXPECT_THROW(tessera::io::read_wavefunctions(folder / "other"), Error);
    std::ofstream(folder / "empty");
    EXPECT_THROW(tessera::io::read_wavefunctions(folder / "empty"), Error);
    EXPECT_THROW(tessera::io::read_wavefunctions(folder / "missing"), Error);
}

// It may be a file edited by hand, so it is read.
TEST(Molden, ALastLineWithoutBreakIsWarnedOf) {
    const std::string whole = water();
    EXPECT_TRUE(read(whole).warnings.empty());
    const Wavefunction cut = read(whole.substr(0, whole.size() - 1));
    ASSERT_EQ(cut.warnings.size(), 1u);
    EXPECT_NE(cut.warnings[0].find("in.molden:41: the last line has no line break"),
              std::string::npos)
        << cut.warnings[0];
    const std::vector<Wavefunction> frames = frames_of(whole + whole.substr(0, whole.size() - 1));
    EXPECT_TRUE(frames[0].warnings.empty());
    EXPECT_EQ(frames[1].warnings.size(), 1u);
}

}  // namespace
