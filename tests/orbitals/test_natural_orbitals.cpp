// Natural orbitals of density matrices in formatted checkpoints: they make the density that the
// matrix makes with the functions, are orthonormal, and hold its electrons.
#include "orbitals/basis/natural_orbitals.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>

#include "core/error.hpp"
#include "fchk_molecule.hpp"
#include "folded_value.hpp"
#include "io/temporary_folder.hpp"
#include "orbitals/tiles/prepare.hpp"

namespace {

using namespace tessera;
using io::Wavefunction;
using test::fchk_functions;
using test::functions_of_file;
using test::molecule;
using test::orthonormal;
using test::overlap;

/// The lower triangle of a random matrix.
std::vector<double> random_density() {
    std::mt19937 random(17);
    std::uniform_real_distribution<double> uniform(-0.3, 0.3);
    std::vector<double> lower(fchk_functions * (fchk_functions + 1) / 2);
    for (double& value : lower) value = uniform(random);
    return lower;
}

double element(const std::vector<double>& lower, std::size_t a, std::size_t b) {
    return a >= b ? lower[a * (a + 1) / 2 + b] : element(lower, b, a);
}

TEST(NaturalOrbitals, MakeTheDensityOfTheMatrix) {
    const std::vector<double> lower = random_density();
    const std::string text = molecule(orthonormal())
                                 .array("Total SCF Density", std::vector<double>(210, 0.0))
                                 .array("Total MP2 Density", lower)
                                 .text();
    Wavefunction natural = io::read_fchk({"in.fchk", text}, {"mp2"});
    std::vector<std::string> told;
    orbitals::take_natural_orbitals(natural, told);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_NE(told[0].find("natural orbitals of 'Total MP2 Density'"), std::string::npos);
    ASSERT_EQ(natural.orbitals.size(), fchk_functions);
    for (std::size_t a = 0; a < fchk_functions; ++a) {
        EXPECT_GE(natural.orbitals[a > 0 ? a - 1 : 0].occupation, natural.orbitals[a].occupation);
        for (std::size_t b = 0; b <= a; ++b)
            EXPECT_NEAR(overlap(natural, a, b), a == b ? 1 : 0, 1e-12);
    }
    const Wavefunction unit = functions_of_file();
    double electrons = 0, held = 0;
    for (std::size_t a = 0; a < fchk_functions; ++a) {
        held += natural.orbitals[a].occupation;
        for (std::size_t b = 0; b < fchk_functions; ++b)
            electrons += element(lower, a, b) * overlap(unit, a, b);
    }
    EXPECT_NEAR(held, electrons, 1e-12);
    for (const Vec3 r : {Vec3{0.3, -0.4, 0.9}, Vec3{1.2, 0.8, -0.7}, Vec3{-1, 0.5, 2}}) {
        std::vector<double> chi(fchk_functions);
        for (std::size_t a = 0; a < fchk_functions; ++a)
            chi[a] = test::folded_value(unit, static_cast<int>(a), r);
        double wanted = 0, found = 0;
        for (std::size_t a = 0; a < fchk_functions; ++a) {
            const double psi = test::folded_value(natural, static_cast<int>(a), r);
            found += natural.orbitals[a].occupation * psi * psi;
            for (std::size_t b = 0; b < fchk_functions; ++b)
                wanted += element(lower, a, b) * chi[a] * chi[b];
        }
        EXPECT_NEAR(found, wanted, 1e-12);
        EXPECT_GT(std::abs(wanted), 1e-3);
    }
}

/// A matrix of four alpha orbitals, whose eigenvalues are known: 2 and 0.2 of two pairs, turned.
TEST(NaturalOrbitals, AreOfTrexioToo) {
    const test::TemporaryFolder folder;
    const std::filesystem::path from(TESSERA_SOURCE_DIR
                                     "/tests/orbitals/references/formats/oh_spherical.trexio");
    const std::string path = folder / "oh.trexio";
    std::filesystem::copy(from, path);
    const Wavefunction plain = io::read_wavefunctions(path).at(0);
    const std::size_t m = plain.orbitals.size();
    std::vector<double> d(m * m, 0.0);
    const double c = std::cos(0.4), s = std::sin(0.4);
    const std::array<std::array<double, 4>, 4> turned{
        {{c, s, 0, 0}, {-s, c, 0, 0}, {0, 0, c, -s}, {0, 0, s, c}}};
    const std::array<double, 4> occupations{2, 0.2, 1.7, 0.6};
    for (std::size_t k = 0; k < 4; ++k)
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t j = 0; j < 4; ++j)
                d[i * m + j] += occupations[k] * turned[k][i] * turned[k][j];
    std::ofstream file(std::filesystem::path(path) / "rdm.txt");
    file.precision(17);
    file << "dims_rdm_1e 0 " << m << "\ndims_rdm_1e 1 " << m << "\nrdm_1e\n";
    for (const double value : d) file << value << "\n";
    file.close();
    Wavefunction natural = io::read_wavefunctions(path, {"1e"}).at(0);
    EXPECT_TRUE(io::read_wavefunctions(path, {"one_e"}).at(0).density_matrix);
    std::vector<std::string> told;
    orbitals::take_natural_orbitals(natural, told);
    ASSERT_EQ(natural.orbitals.size(), 4u);
    const Vec3 r{0.3, 0.4, -0.5};
    for (const std::size_t k : {0, 1, 2, 3}) {
        const std::size_t place = k == 0 ? 0 : k == 2 ? 1 : k == 3 ? 2 : 3;  // by occupation
        EXPECT_NEAR(natural.orbitals[place].occupation, occupations[k], 1e-12);
        double wanted = 0;
        for (std::size_t i = 0; i < 4; ++i)
            wanted += turned[k][i] * test::folded_value(plain, static_cast<int>(i), r);
        EXPECT_NEAR(std::abs(test::folded_value(natural, static_cast<int>(place), r)),
                    std::abs(wanted), 1e-11);
    }
    EXPECT_THROW(io::read_wavefunctions(path, {"MP2"}), Error);
    EXPECT_THROW(io::read_wavefunctions(from.string(), {"one_e"}), Error);
}

std::string refusal(const std::string& text, const std::string& name) {
    const test::TemporaryFolder folder;
    std::ofstream(folder / "a.fchk") << text;
    orbitals::OrbitalInput input;
    input.paths = {folder / "a.fchk"};
    input.natural_orbitals = name;
    std::vector<std::string> messages;
    try {
        const auto read = orbitals::read_frames(input, messages);
        return messages.at(1) + " " +
               std::to_string(read.frames.at(0).wavefunction.orbitals.size());
    } catch (const Error& error) {
        return error.what();
    }
}

TEST(NaturalOrbitals, AreOfMatricesThatTheFileHas) {
    const auto expect = [](const std::string& text, const std::string& name,
                           const std::string& part) {
        const std::string said = refusal(text, name);
        EXPECT_NE(said.find(part), std::string::npos) << said;
        EXPECT_EQ(said.find('\n'), std::string::npos);
    };
    const std::string plain = molecule(orthonormal()).text();
    std::string whole = molecule(orthonormal()).array("Total CC Density", random_density()).text();
    expect(whole, "CC", "natural orbitals of 'Total CC Density'");
    expect(whole, "MP2", "no density matrix 'MP2' (it has CC)");
    expect(plain, "SCF", "it has none");
    std::vector<double> few = orthonormal();
    few.resize(3 * fchk_functions);
    expect(molecule(few).array("Total CC Density", random_density()).text(), "CC",
           "not all orbitals");
    expect(molecule(orthonormal()).array("Total CC Density", std::vector<double>(9, 1.0)).text(),
           "CC", "has 9 values, not 210");
    std::ifstream molden(TESSERA_SOURCE_DIR "/examples/water.molden");
    expect({std::istreambuf_iterator<char>(molden), {}}, "SCF", "has no density matrix");
}

}  // namespace
