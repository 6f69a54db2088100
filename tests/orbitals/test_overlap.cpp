// Overlaps against textbook values and quadrature; recognition and repair of known norm habits.
#include <gtest/gtest.h>

#include <numbers>
#include <numeric>

#include "core/error.hpp"
#include "folded_value.hpp"
#include "orbitals/basis/folded_basis.hpp"
#include "orbitals/basis/gaussian_norms.hpp"
#include "orbitals/basis/norm_repair.hpp"
#include "orbitals/basis/overlap.hpp"
#include "small_frames.hpp"

namespace {

using tessera::Vec3;
using tessera::io::BasisShell;
using tessera::io::MolecularOrbital;
using tessera::io::Wavefunction;
using tessera::orbitals::norm_warning;
using tessera::orbitals::overlap_matrix;
using tessera::orbitals::repair_norms;
using tessera::orbitals::worst_norm_error;
using tessera::test::folded_value;
using tessera::test::one_shell;
using tessera::test::two_atoms;

// Szabo & Ostlund, Modern Quantum Chemistry, eq. 3.229: H2 at 1.4 bohr.
TEST(Overlap, HydrogenMoleculeInSto3g) {
    Wavefunction h2 = one_shell(0, false, {3.42525091, 0.62391373, 0.16885540},
                                {0.15432897, 0.53532814, 0.44463454});
    h2.nuclei.push_back({"H", 1, {0, 0, 1.4}});
    h2.shells.push_back(h2.shells[0]);
    h2.shells[1].atom = 1;
    EXPECT_NEAR(overlap_matrix(h2)[1], 0.6593, 5e-5);
    EXPECT_NEAR(overlap_matrix(h2)[3], 1, 1e-14);
}

TEST(Overlap, SphericalShellsAreOrthonormalAndCartesianOnesNormalised) {
    for (int l = 0; l <= 5; ++l)
        for (const bool spherical : {true, false}) {
            const Wavefunction shell = one_shell(l, spherical, {2.0, 0.4}, {0.2, 0.9});
            const std::vector<double> s = overlap_matrix(shell);
            const auto n = static_cast<std::size_t>(shell.basis_functions());
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t j = 0; j < n; ++j) {
                    const double expected = i == j ? 1 : spherical ? 0 : s[i * n + j];
                    EXPECT_NEAR(s[i * n + j], expected, 1e-13) << l << " " << i << " " << j;
                }
            EXPECT_LT(worst_norm_error(shell), 1e-13);
        }
    EXPECT_NEAR(overlap_matrix(one_shell(2, false, {0.7}, {1}))[1], 1. / 3, 1e-14) << "<xx|yy>";
    EXPECT_NEAR(overlap_matrix(one_shell(3, false, {0.7}, {1}))[3], 1 / std::sqrt(5), 1e-14)
        << "<xxx|xyy>";
}

// The trapezoidal rule is exact to exp(-pi^2/(p h^2)) for Gaussians.
TEST(Overlap, AgreesWithQuadrature) {
    for (const bool spherical : {true, false}) {
        const Wavefunction frame = two_atoms(spherical);
        const auto n = static_cast<std::size_t>(frame.basis_functions());
        const std::vector<double> s = overlap_matrix(frame);
        tessera::kernels::OrbitalProblem problem;
        tessera::orbitals::fold_orbitals(frame, {0, 1}, problem);
        const double h = 0.34;
        double norm = 0, mixed = 0;
        for (double x = -7; x < 8.2; x += h)
            for (double y = -7; y < 8; y += h)
                for (double z = -8; z < 7.4; z += h) {
                    const double a = folded_value(problem, 0, {x, y, z}),
                                 b = folded_value(problem, 1, {x, y, z});
                    norm += a * a * h * h * h;
                    mixed += a * b * h * h * h;
                }
        double expected = 0;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                expected += frame.orbitals[0].coefficients[i] * s[i * n + j] *
                            frame.orbitals[1].coefficients[j];
        EXPECT_NEAR(norm, 1, 1e-7);
        EXPECT_NEAR(mixed, expected, 1e-7);
    }
}

TEST(Overlap, BetweenFramesEqualsTheMatrixWhereTheyAreTheSame) {
    const Wavefunction frame = two_atoms(true);
    const std::vector<double> one = overlap_matrix(frame),
                              two = tessera::orbitals::overlap_between(frame, frame);
    ASSERT_EQ(one.size(), two.size());
    for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i], two[i], 1e-14);
    Wavefunction other = one_shell(0, false, {1.0}, {1.0}, {0, 0, 1});
    const std::vector<double> row =
        tessera::orbitals::overlap_between(one_shell(0, false, {1.0}, {1.0}), other);
    EXPECT_NEAR(row.at(0), std::exp(-0.5), 1e-14);
}

TEST(NormRepair, GoodFilesAreLeftAlone) {
    Wavefunction frame = two_atoms(true);
    const auto before = frame.orbitals[2].coefficients;
    EXPECT_EQ(norm_warning(frame, {0, 1}), "");
    EXPECT_EQ(repair_norms(frame), "");
    EXPECT_EQ(frame.orbitals[2].coefficients, before);
}

double value(const Wavefunction& frame, int orbital) {
    return folded_value(frame, orbital, {0.4, 0.5, -0.3});
}

// What ORCA writes: coefficients of raw primitives, and f(+-3), g(+-3), g(+-4) with the other sign.
TEST(NormRepair, RecognisesOrca) {
    const Wavefunction good = two_atoms(true);
    Wavefunction bad = good;
    std::size_t first = 0;
    for (BasisShell& shell : bad.shells) {
        for (std::size_t p = 0; p < shell.exponents.size(); ++p)
            shell.coefficients[p] *= tessera::orbitals::primitive_norm(shell.l, shell.exponents[p]);
        for (MolecularOrbital& orbital : bad.orbitals)
            for (std::size_t k = 5; shell.l > 2 && k < static_cast<std::size_t>(shell.functions());
                 ++k)
                orbital.coefficients[first + k] *= -1;
        first += static_cast<std::size_t>(shell.functions());
    }
    EXPECT_GT(worst_norm_error(bad), 1e-3);
    const std::string warning = norm_warning(bad, {0, 1, 2});
    EXPECT_NE(warning.find("ORCA"), std::string::npos) << warning;
    EXPECT_EQ(warning.find('\n'), std::string::npos);
    EXPECT_NE(repair_norms(bad).find("ORCA"), std::string::npos);
    for (int o = 0; o < 5; ++o) EXPECT_NEAR(value(bad, o), value(good, o), 1e-12);
}

// xy stands for sqrt(3) times what it should be, xxy for sqrt(5), xyz for sqrt(15), ...
TEST(NormRepair, RecognisesCartesianFunctionsThatShareOneNorm) {
    const Wavefunction good = two_atoms(false);
    Wavefunction bad = good;
    const std::vector<double> d{1, 1, 1, 3, 3, 3}, f{1, 1, 1, 5, 5, 5, 5, 5, 5, 15};
    const std::vector<double> g{1, 1, 1, 7, 7, 7, 7, 7, 7, 35. / 3, 35. / 3, 35. / 3, 35, 35, 35};
    std::vector<double> squares;
    for (int atom = 0; atom < 2; ++atom)
        for (const std::vector<double>& shell : {std::vector<double>(4, 1.0), d, f, g})
            squares.insert(squares.end(), shell.begin(), shell.end());
    for (MolecularOrbital& orbital : bad.orbitals)
        for (std::size_t k = 0; k < squares.size(); ++k)
            orbital.coefficients[k] *= std::sqrt(squares[k]);
    EXPECT_NE(norm_warning(bad, {0, 1}).find("share"), std::string::npos);
    EXPECT_NE(repair_norms(bad), "");
    for (int o = 0; o < 5; ++o) EXPECT_NEAR(value(bad, o), value(good, o), 1e-12);
}

TEST(NormRepair, RefusesWhatItDoesNotKnow) {
    Wavefunction frame = two_atoms(true);
    for (MolecularOrbital& orbital : frame.orbitals) orbital.coefficients[3] += 0.5;
    EXPECT_NE(norm_warning(frame, {0, 1}).find("no known program writes such norms"),
              std::string::npos);
    EXPECT_THROW(repair_norms(frame), tessera::Error);
}

// Signs of f change nothing in a file without f: one bad orbital among many is not ORCA's habit.
TEST(NormRepair, AHabitMustExplainTheWorstOrbital) {
    Wavefunction frame = one_shell(0, false, {1.0}, {1.0});
    for (int o = 1; o < 70; ++o) frame.orbitals.push_back(frame.orbitals[0]);
    frame.orbitals[1].coefficients[0] = 1.5;
    std::vector<int> all(frame.orbitals.size());
    std::iota(all.begin(), all.end(), 0);
    const std::string warning = norm_warning(frame, all);
    EXPECT_NE(warning.find("orbital 2)"), std::string::npos) << warning;
    EXPECT_NE(warning.find("no known program writes such norms"), std::string::npos) << warning;
    EXPECT_THROW(repair_norms(frame), tessera::Error);
}

// More orbitals than are summed side by side, the odd one last, against the plain sum.
TEST(Overlap, NormsOfManyOrbitalsAreThoseOfEach) {
    Wavefunction frame = two_atoms(true);
    const std::vector<double> s = overlap_matrix(frame);
    const auto n = static_cast<std::size_t>(frame.basis_functions());
    for (int o = 5; o < 71; ++o) {
        frame.orbitals.push_back(frame.orbitals[static_cast<std::size_t>(o % 5)]);
        for (double& c : frame.orbitals.back().coefficients) c *= 1 + 1e-3 * o;
    }
    for (int o = 0; o < 71; ++o) {
        const std::vector<double>& c = frame.orbitals[static_cast<std::size_t>(o)].coefficients;
        double norm = 0;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) norm += c[i] * s[i * n + j] * c[j];
        EXPECT_NEAR(worst_norm_error(frame, {o}), std::abs(norm - 1), 1e-13) << o;
    }
    std::vector<int> all(71);
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(tessera::orbitals::worst_norm(frame, all).orbital, 70);
    EXPECT_EQ(worst_norm_error(frame, all), worst_norm_error(frame, {70}));
}

}  // namespace
