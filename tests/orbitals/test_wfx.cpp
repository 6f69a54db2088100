// WFX texts: orbitals over raw primitives, whose values follow from the text alone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "folded_value.hpp"
#include "io/wavefunctions/wfx_reader.hpp"
#include "orbitals/basis/overlap.hpp"
#include "orbitals/tiles/cell_edges.hpp"
#include "support/refused_text.hpp"

namespace {

using tessera::Vec3;
using tessera::io::Wavefunction;

// Primitives: s on both nuclei, p_y, d_xz, f_xxy (type 14), f_xyy (17), g_xyyz (34), one s twice.
const std::string good_wfx =
    "<Title>\n two atoms\n</Title>\n<Number of Nuclei>\n 2\n</Number of Nuclei>\n<Nuclear Names>\n "
    "C1\n H2\n</Nuclear Names>\n"
    "<Atomic Numbers>\n 6\n 1\n</Atomic Numbers>\n<Nuclear Cartesian Coordinates>\n 0 0 0.5\n 1 0 "
    "0\n"
    "</Nuclear Cartesian Coordinates>\n<Primitive Centers>\n 1 2 1 1 1\n 1 1 1\n</Primitive "
    "Centers>\n"
    "<Primitive Types>\n 1 1 3 9 14\n 17 34 1\n</Primitive Types>\n<Primitive Exponents>\n"
    " 1.1 0.4 0.7 0.9 0.8\n 0.8 0.6 1.1D+00\n</Primitive Exponents>\n"
    "<Molecular Orbital Occupation Numbers>\n 1.0\n 1.0\n</Molecular Orbital Occupation Numbers>\n"
    "<Molecular Orbital Energies>\n -1.0\n -0.5\n</Molecular Orbital Energies>\n"
    "<Molecular Orbital Spin Types>\n Alpha\n Beta\n</Molecular Orbital Spin Types>\n"
    "<Molecular Orbital Primitive Coefficients>\n<MO Number>\n 1\n</MO Number>\n 0.1 0.2 0.3 0.4 "
    "0.5\n 0.6 0.7 0.8\n"
    "<MO Number>\n 2\n</MO Number>\n 0 0 0 0 0 0 1.0E+00 0\n</Molecular Orbital Primitive "
    "Coefficients>\n";

Wavefunction read_wfx(const std::string& text) { return tessera::io::read_wfx({"in.wfx", text}); }

TEST(Wfx, ValuesAreThoseOfTheRawPrimitives) {
    ASSERT_TRUE(tessera::io::is_wfx({"in.wfx", good_wfx}));
    const Wavefunction frame = read_wfx(good_wfx);
    EXPECT_EQ(frame.nuclei[0].symbol, "C");
    EXPECT_EQ(frame.shells.size(), 6u) << "the two f and the two s of one exponent share a shell";
    EXPECT_EQ(frame.orbitals[1].spin, tessera::io::Spin::beta);
    EXPECT_EQ(frame.orbitals[1].energy, -0.5);
    const Vec3 r{0.4, -0.7, 0.9};
    const double x = r.x, y = r.y, z = r.z - 0.5, r2 = x * x + y * y + z * z;
    const double other = (r.x - 1) * (r.x - 1) + r.y * r.y + r.z * r.z;
    const double first = 0.9 * std::exp(-1.1 * r2) + 0.2 * std::exp(-0.4 * other) +
                         0.3 * y * std::exp(-0.7 * r2) + 0.4 * x * z * std::exp(-0.9 * r2) +
                         (0.5 * x * x * y + 0.6 * x * y * y) * std::exp(-0.8 * r2) +
                         0.7 * x * y * y * z * std::exp(-0.6 * r2);
    EXPECT_NEAR(tessera::test::folded_value(frame, 0, r), first, 1e-15);
    EXPECT_NEAR(tessera::test::folded_value(frame, 1, r), x * y * y * z * std::exp(-0.6 * r2),
                1e-15);
}

TEST(Wfx, PseudopotentialsAndCellsAreToldOf) {
    const auto warnings_with = [](const std::string& section, const std::string& values) {
        return read_wfx(good_wfx + "<" + section + ">\n " + values + "\n</" + section + ">\n")
            .warnings;
    };
    const auto expect_told = [](const std::vector<std::string>& warnings, const char* part) {
        ASSERT_EQ(warnings.size(), 1u);
        EXPECT_NE(warnings[0].find(part), std::string::npos) << warnings[0];
    };
    expect_told(warnings_with("Number of Core Electrons", "2"), "made with pseudopotentials");
    expect_told(warnings_with("Nuclear Charges", "4.0 1.0"), "atom 1, C, has the charge 4");
    EXPECT_EQ(read_wfx(good_wfx + "<Nuclear Charges>\n 4.0 1.0\n</Nuclear Charges>\n")
                  .nuclei[0]
                  .charge_without_core(),
              4);
    expect_told(warnings_with("Number of Translation Vectors", "3"), "periodic system");
    EXPECT_TRUE(warnings_with("Number of Core Electrons", "0").empty());
    EXPECT_TRUE(warnings_with("Nuclear Charges", "6.0 1.0").empty());
    EXPECT_TRUE(warnings_with("Number of Translation Vectors", "0").empty());
}

/// An s function on a lattice, whose norm over a cell is N^2 (pi/2a)^(3/2) sum_t exp(-a t^2 / 2).
TEST(Wfx, OrbitalsAreSummedOverTranslationVectors) {
    const double a = 0.3, edge = 3.5;
    double line = 0;  // a sum over each repeated direction
    for (int i = -9; i <= 9; ++i) line += std::exp(-a * edge * edge * i * i / 2);
    for (const int directions : {1, 2, 3}) {
        const double factor =
            std::pow(std::pow(M_PI / (2 * a), 1.5) * std::pow(line, directions), -0.5);
        std::string text =
            "<Title>\n one\n</Title>\n<Nuclear Names>\n H1\n</Nuclear Names>\n<Atomic Numbers>\n "
            "1\n"
            "</Atomic Numbers>\n<Nuclear Cartesian Coordinates>\n 0.2 -0.4 7\n</Nuclear Cartesian "
            "Coordinates>\n<Primitive Centers>\n 1\n</Primitive Centers>\n<Primitive Types>\n 1\n"
            "</Primitive Types>\n<Primitive Exponents>\n 0.3\n</Primitive Exponents>\n<Molecular "
            "Orbital Occupation Numbers>\n 1\n</Molecular Orbital Occupation Numbers>\n<Molecular "
            "Orbital Energies>\n -1\n</Molecular Orbital Energies>\n<Molecular Orbital Spin "
            "Types>\n Alpha\n</Molecular Orbital Spin Types>\n<Molecular Orbital Primitive "
            "Coefficients>\n<MO Number>\n 1\n</MO Number>\n " +
            fmt::format("{:.17g}", factor) +
            "\n</Molecular Orbital Primitive Coefficients>\n<Number of Translation Vectors>\n " +
            std::to_string(directions) +
            "\n</Number of Translation Vectors>\n<Translation Vectors>\n 0 3.5 0\n";
        if (directions > 1) text += " 0 0 3.5\n";
        if (directions > 2) text += " 3.5 0 0\n";
        Wavefunction frame = read_wfx(text + "</Translation Vectors>\n");
        EXPECT_EQ(frame.repeated_directions, directions);
        EXPECT_NEAR(tessera::orbitals::worst_norm_error(frame), 0, 1e-12) << directions;
        const Vec3 r{1.9, -2, 6};
        double sum = 0;
        const int most = 12;
        for (int i = directions > 2 ? -most : 0; i <= (directions > 2 ? most : 0); ++i)
            for (int j = -most; j <= most; ++j)
                for (int k = directions > 1 ? -most : 0; k <= (directions > 1 ? most : 0); ++k) {
                    const Vec3 d = r - Vec3{0.2 + edge * i, -0.4 + edge * j, 7 + edge * k};
                    sum += factor * std::exp(-a * dot(d, d));
                }
        tessera::kernels::OrbitalProblem problem;
        problem.grid = {{1, -3, 5}, {1, 1, 1}, {3, 3, 3}};
        tessera::orbitals::fold_orbitals(frame, {0}, problem);
        EXPECT_NEAR(tessera::test::folded_value(problem, 0, r), sum, 1e-12) << directions;
        if (directions == 3) continue;
        EXPECT_THROW(tessera::orbitals::cell_edges({&frame}), tessera::Error);
    }
}

void expect_wfx_error(const std::string& what, const std::string& by, const std::string& part) {
    std::string text = good_wfx;
    text.replace(text.find(what), what.size(), by);
    tessera::test::expect_refused(read_wfx, text, part);
}

TEST(Wfx, BadFilesGetOneClearLine) {
    expect_wfx_error("<Number of Nuclei>\n 2", "<Number of Nuclei>\n 3", "is 3, but 2 have");
    expect_wfx_error(" 17 34 1", " 17 57 1", "unknown primitive type 57");
    expect_wfx_error(" 1 2 1 1 1", " 1 3 1 1 1", "nucleus 3");
    expect_wfx_error(" 1 2 1 1 1", " 1 2 1 1", "not 7");
    expect_wfx_error("0.9 0.8", "0.9 nan", "'nan' is not a value");
    expect_wfx_error(" Beta\n", " Gamma\n", "'Gamma' is not the spin");
    expect_wfx_error("0.6 0.7 0.8", "0.6 0.7", "coefficient of orbital 1");
    expect_wfx_error("0.6 0.7 0.8", "0.6 0.7 0.8 0.9", "coefficient");
    expect_wfx_error("</Molecular Orbital Primitive Coefficients>", "", "no end");
    expect_wfx_error("<Primitive Exponents>", "", "<Primitive Exponents> is missing");
}

TEST(Wfx, MutatedTextsAreReadOrRefused) {
    tessera::test::expect_read_or_refused(read_wfx, good_wfx, 20103);
}

}  // namespace
