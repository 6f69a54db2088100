// Molden files that programs wrote: their norms as they are, and repaired.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.hpp"
#include "folded_value.hpp"
#include "io/wavefunctions/model_warnings.hpp"
#include "io/wavefunctions/wavefunction.hpp"
#include "io/wavefunctions/wavefunction_text.hpp"
#include "orbitals/basis/norm_repair.hpp"
#include "orbitals/basis/overlap.hpp"
#include "orbitals/tiles/checks.hpp"
#include "support/npz.hpp"

namespace {

using tessera::io::Wavefunction;
using tessera::orbitals::check_orbitals;
using tessera::orbitals::OrbitalFrame;
using tessera::orbitals::repair_norms;
using tessera::orbitals::worst_norm_error;

std::string in_folder(const std::string& file) {
    return TESSERA_SOURCE_DIR "/tests/orbitals/references/programs/" + file;
}

std::string path_of(const std::string& name) { return in_folder(name + ".molden.gz"); }

Wavefunction read(const std::string& name) {
    return tessera::io::read_wavefunctions(path_of(name)).at(0);
}

std::vector<std::string> findings(const Wavefunction& frame) {
    return check_orbitals({OrbitalFrame{frame, 1, {}}});
}

TEST(ProgramFiles, NwchemAndPsi4FollowTheRules) {
    for (const char* name : {"nwchem_h2o", "psi4_h2o"}) {
        const Wavefunction frame = read(name);
        EXPECT_EQ(frame.basis_functions(), 58) << name;
        EXPECT_LT(worst_norm_error(frame), 1e-6) << name;
        EXPECT_TRUE(findings(frame).empty()) << name;
    }
}

/// The overlap of two orbitals, which another order of d, f or g functions would change.
double product(const Wavefunction& frame, const std::vector<double>& overlap, std::size_t a,
               std::size_t b) {
    const auto n = static_cast<std::size_t>(frame.basis_functions());
    const auto &left = frame.orbitals[a].coefficients, &right = frame.orbitals[b].coefficients;
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) sum += left[i] * overlap[i * n + j] * right[j];
    return sum;
}

void expect_orthonormal(const Wavefunction& frame, double tolerance) {
    const std::vector<double> overlap = tessera::orbitals::overlap_matrix(frame);
    for (std::size_t a = 0; a < frame.orbitals.size(); ++a)
        for (std::size_t b = 0; b <= a; ++b)
            EXPECT_NEAR(product(frame, overlap, a, b), a == b, tolerance) << a << " " << b;
}

// PySCF did its own calculation, so that signs are arbitrary. OpenMolcas writes 5 digits of the
// energies and 8 decimals of the coefficients.
TEST(ProgramFiles, OpenMolcasAgreesWithPyscf) {
    for (const std::string name : {"openmolcas_spherical", "openmolcas_cartesian"}) {
        SCOPED_TRACE(name);
        const Wavefunction frame = read(name);
        EXPECT_EQ(frame.basis_functions(), name == "openmolcas_spherical" ? 65 : 80);
        // Two of the occupied orbitals are left out of the file, but not of its partial charges.
        ASSERT_EQ(frame.warnings.size(), 1U);
        EXPECT_NE(frame.warnings[0].find("10 electrons, and its orbitals hold 6"),
                  std::string::npos)
            << frame.warnings[0];
        EXPECT_TRUE(findings(frame).empty());
        expect_orthonormal(frame, 1e-7);
        const tessera::test::Npz archive(in_folder(name + ".npz"));
        const auto points = archive["points_bohr"].values, energies = archive["energies"].values;
        const auto expected = archive["psi_points"].values;
        ASSERT_EQ(frame.orbitals.size(), energies.size());
        for (std::size_t o = 0; o < energies.size(); ++o) {
            const double energy = energies[o];
            EXPECT_NEAR(frame.orbitals[o].energy, energy, 6e-5 * std::max(1.0, std::abs(energy)));
            double same = 0, opposite = 0;  // the largest differences with either sign
            for (std::size_t i = 0; 3 * i < points.size(); ++i) {
                const double value = tessera::test::folded_value(
                    frame, static_cast<int>(o),
                    {points[3 * i], points[3 * i + 1], points[3 * i + 2]});
                const double other = expected[i * energies.size() + o];
                same = std::max(same, std::abs(value - other));
                opposite = std::max(opposite, std::abs(value + other));
            }
            EXPECT_LT(std::min(same, opposite), 5e-7) << "orbital " << o;
            EXPECT_GT(std::max(same, opposite), 0.1) << "orbital " << o;
        }
    }
}

TEST(ProgramFiles, XtbIsRepaired) {
    Wavefunction frame = read("xtb_hocl");
    EXPECT_GT(worst_norm_error(frame), 0.1);
    const std::vector<std::string> found = findings(frame);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NE(found[0].find("not normalised (xtb, Psi4 before 1.0)"), std::string::npos)
        << found[0];
    repair_norms(frame);
    EXPECT_LT(worst_norm_error(frame), 1e-6);
    const std::vector<double> overlap = tessera::orbitals::overlap_matrix(frame);
    EXPECT_NEAR(product(frame, overlap, 3, 12), 0, 1e-9);
}

// The orbitals reach into the neighbouring cells, so that norms without these are wrong.
TEST(ProgramFiles, OrbitalsAreSummedOverSmallCells) {
    tessera::io::TextSource source = tessera::io::read_wavefunction_text(path_of("cp2k_h2o"));
    EXPECT_GT(worst_norm_error(tessera::io::parse_wavefunctions(source).at(0)), 1e-2);
    const auto with_cell = [&](const std::string& unit) {
        tessera::io::TextSource whole = source;
        whole.text.insert(whole.text.find("[GTO]"),
                          "[Cell] " + unit + "\n4.0 0 0\n0 4.2 0\n0 0 4.4\n[Nval]\nO 6\nH 1\n");
        return tessera::io::parse_wavefunctions(whole).at(0);
    };
    Wavefunction frame = with_cell("Angs");
    EXPECT_EQ(frame.nuclei[0].charge_without_core(), 6);
    EXPECT_LT(worst_norm_error(frame), 1e-6);
    EXPECT_TRUE(findings(frame).empty());
    const auto expect_refused = [](const Wavefunction& refused, const std::string& part) {
        try {
            findings(refused);
            ADD_FAILURE() << "no error";
        } catch (const tessera::Error& error) {
            EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
        }
    };
    expect_refused(with_cell("AU"), "check the cell and its unit");
    tessera::io::isolate(frame);
    expect_refused(frame, "without the neighbouring cells");
}

TEST(ProgramFiles, MoleculesInLargeCellsAreEvaluated) {
    tessera::io::TextSource source = tessera::io::read_wavefunction_text(path_of("psi4_h2o"));
    source.text.insert(source.text.find("[GTO]"), "[Cell] Angs\n20 0 0\n0 20 0\n0 0 20\n");
    const Wavefunction frame = tessera::io::parse_wavefunctions(source).at(0);
    EXPECT_EQ(frame.warnings.size(), 1u);
    EXPECT_TRUE(findings(frame).empty());
}

}  // namespace
