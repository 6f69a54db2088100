// Values of basis functions against formulas written out by hand.
#include <gtest/gtest.h>

#include <functional>
#include <numbers>

#include "folded_value.hpp"
#include "orbitals/basis/folded_basis.hpp"
#include "orbitals/basis/gaussian_norms.hpp"
#include "small_frames.hpp"

namespace {

using std::numbers::pi;
using tessera::Vec3;
using tessera::io::Wavefunction;
using tessera::orbitals::FoldedBasis;
using tessera::test::folded_value;
using tessera::test::one_shell;

const Vec3 center{0.3, -0.4, 0.2};
const Vec3 r{0.9, 0.3, -0.5};  // relative to the centre
const double r2 = r.x * r.x + r.y * r.y + r.z * r.z;

double value(const Wavefunction& frame, int function) {
    return folded_value(frame, function, center + r);
}

TEST(PrimitiveGroups, CartesianFunctionsHaveTheTextbookNorms) {
    const double a = 0.8, e = std::exp(-a * r2);
    EXPECT_NEAR(value(one_shell(0, false, {a}, {1}, center), 0), std::pow(2 * a / pi, 0.75) * e,
                1e-15);
    const double p = std::pow(128 * std::pow(a, 5) / std::pow(pi, 3), 0.25);
    const Wavefunction ps = one_shell(1, false, {a}, {1}, center);
    EXPECT_NEAR(value(ps, 0), p * r.x * e, 1e-15);
    EXPECT_NEAR(value(ps, 1), p * r.y * e, 1e-15);
    EXPECT_NEAR(value(ps, 2), p * r.z * e, 1e-15);
    const double d = std::pow(2048 * std::pow(a, 7) / std::pow(pi, 3), 0.25);
    const Wavefunction ds = one_shell(2, false, {a}, {1}, center);
    EXPECT_NEAR(value(ds, 0), d / std::sqrt(3) * r.x * r.x * e, 1e-15);
    EXPECT_NEAR(value(ds, 2), d / std::sqrt(3) * r.z * r.z * e, 1e-15);
    EXPECT_NEAR(value(ds, 3), d * r.x * r.y * e, 1e-15);
    EXPECT_NEAR(value(ds, 4), d * r.x * r.z * e, 1e-15);
    EXPECT_NEAR(value(ds, 5), d * r.y * r.z * e, 1e-15);
    const double f = std::pow(32768 * std::pow(a, 9) / std::pow(pi, 3), 0.25);
    const Wavefunction fs = one_shell(3, false, {a}, {1}, center);
    EXPECT_NEAR(value(fs, 0), f / std::sqrt(15) * std::pow(r.x, 3) * e, 1e-15);
    EXPECT_NEAR(value(fs, 3), f / std::sqrt(3) * r.x * r.y * r.y * e, 1e-15);
    EXPECT_NEAR(value(fs, 9), f * r.x * r.y * r.z * e, 1e-15);
}

// STO-3G of hydrogen (Hehre, Stewart & Pople 1969), which mimics sqrt(zeta^3/pi) exp(-zeta r), zeta
// 1.24.
TEST(PrimitiveGroups, HydrogenLikeContraction) {
    const Wavefunction h = one_shell(0, false, {3.42525091, 0.62391373, 0.16885540},
                                     {0.15432897, 0.53532814, 0.44463454});
    double at_nucleus = 0;
    for (std::size_t p = 0; p < 3; ++p)
        at_nucleus +=
            h.shells[0].coefficients[p] * std::pow(2 * h.shells[0].exponents[p] / pi, 0.75);
    EXPECT_NEAR(folded_value(h, 0, {}), at_nucleus, 1e-7)
        << "the published contraction is normalised";
    const double slater = std::sqrt(std::pow(1.24, 3) / pi);
    for (const double distance : {1.0, 1.5, 2.0, 3.0})
        EXPECT_NEAR(folded_value(h, 0, {0, distance, 0}), slater * std::exp(-1.24 * distance),
                    0.01);
}

TEST(PrimitiveGroups, ContractionsAreNormalisedWhateverTheirScale) {
    const Wavefunction once = one_shell(2, true, {2.0, 0.5}, {0.3, 0.7}, center);
    const Wavefunction scaled = one_shell(2, true, {2.0, 0.5}, {3.0, 7.0}, center);
    for (int k = 0; k < 5; ++k) EXPECT_NEAR(value(once, k), value(scaled, k), 1e-15);
}

// Formulas as in tables of real solid harmonics, order 0, +1, -1, ...
TEST(PrimitiveGroups, SphericalFunctionsFollowTheTables) {
    const double x = r.x, y = r.y, z = r.z, xx = x * x, yy = y * y, zz = z * z;
    const auto root = [](double numerator, double denominator) {
        return std::sqrt(numerator / (denominator * pi));
    };
    const double d = root(15, 4), f1 = root(21, 32), f2 = root(105, 16), f3 = root(35, 32);
    const double g1 = root(45, 32), g2 = root(45, 64), g3 = root(315, 32), g4 = root(315, 256);
    const std::vector<std::vector<double>> tables{
        {root(5, 16) * (3 * zz - r2), d * x * z, d * y * z, d / 2 * (xx - yy), d * x * y},
        {root(7, 16) * z * (5 * zz - 3 * r2), f1 * x * (5 * zz - r2), f1 * y * (5 * zz - r2),
         f2 * z * (xx - yy), 2 * f2 * x * y * z, f3 * x * (xx - 3 * yy), f3 * y * (3 * xx - yy)},
        {root(9, 256) * (35 * zz * zz - 30 * zz * r2 + 3 * r2 * r2), g1 * x * z * (7 * zz - 3 * r2),
         g1 * y * z * (7 * zz - 3 * r2), g2 * (xx - yy) * (7 * zz - r2),
         2 * g2 * x * y * (7 * zz - r2), g3 * x * z * (xx - 3 * yy), g3 * y * z * (3 * xx - yy),
         g4 * (xx * xx - 6 * xx * yy + yy * yy), 4 * g4 * x * y * (xx - yy)}};
    for (int l = 2; l <= 4; ++l) {
        const double a = 0.7;
        const double radial = tessera::orbitals::primitive_norm(l, a) * std::exp(-a * r2);
        const Wavefunction shell = one_shell(l, true, {a}, {2.5}, center);
        const std::vector<double>& table = tables[static_cast<std::size_t>(l - 2)];
        for (std::size_t k = 0; k < table.size(); ++k)
            EXPECT_NEAR(value(shell, static_cast<int>(k)), radial * table[k], 2e-15)
                << "l " << l << " k " << k;
    }
    // N(2, a) from integral r^6 exp(-2 a r^2) dr = 15 sqrt(pi) / (16 (2a)^(7/2))
    EXPECT_NEAR(tessera::orbitals::primitive_norm(2, 0.7),
                std::sqrt(16 * std::pow(1.4, 3.5) / (15 * std::sqrt(pi))), 1e-14);
}

// Up to h: every one is harmonic (its Laplacian vanishes).
TEST(PrimitiveGroups, SolidHarmonicsAreHarmonic) {
    for (int l = 2; l <= 5; ++l)
        for (const std::vector<double>& function : tessera::orbitals::angular_functions(l, true)) {
            std::vector<double> laplacian(static_cast<std::size_t>(l * (l - 1) / 2), 0.0);
            for (int i = 0; i <= l; ++i)
                for (int j = 0; i + j <= l; ++j) {
                    const std::array<int, 3> powers{i, j, l - i - j};
                    for (std::size_t axis = 0; axis < 3; ++axis) {
                        std::array<int, 3> lower = powers;
                        lower[axis] -= 2;
                        if (lower[axis] < 0) continue;
                        laplacian[static_cast<std::size_t>(tessera::orbitals::place_in_degree(
                            lower))] += powers[axis] * (powers[axis] - 1) *
                                        function[static_cast<std::size_t>(
                                            tessera::orbitals::place_in_degree(powers))];
                    }
                }
            for (const double term : laplacian) EXPECT_NEAR(term, 0, 1e-12);
        }
}

TEST(PrimitiveGroups, ShellsOfOneAtomAndExponentShareAGroup) {
    Wavefunction frame;
    frame.nuclei = {{"O", 8, {0, 0, 1}}, {"H", 1, {0, 0, 0}}, {"H", 1, {0, 0, 2}}};
    frame.shells = {{0, 0, false, {5.0, 0.9}, {0.5, 0.5}},
                    {0, 1, false, {0.9}, {1}},
                    {0, 2, true, {0.9}, {1}},
                    {1, 0, false, {0.3}, {1}},
                    {2, 0, false, {0.3}, {1}}};
    frame.orbitals.emplace_back().coefficients.assign(11, 1.0);
    tessera::kernels::OrbitalProblem problem;
    tessera::orbitals::fold_orbitals(frame, {0, 0}, problem);
    ASSERT_EQ(problem.groups.size(), 4u);
    EXPECT_EQ(problem.groups[0].exponent, 0.3) << "hydrogen first";
    EXPECT_EQ(problem.groups[1].center.z, 2);
    EXPECT_EQ(problem.groups[2].exponent, 5);
    EXPECT_EQ(problem.groups[3].l, 2);
    EXPECT_EQ(problem.groups[3].first, 3);
    ASSERT_EQ(problem.coefficients.size(), 2u);
    EXPECT_EQ(problem.coefficients[1].size(), 13u);
    EXPECT_EQ(problem.coefficients[0], problem.coefficients[1]);
}

TEST(FoldedBasis, ServesFramesOfEqualBasisWithTheSameBits) {
    const Wavefunction first = tessera::test::two_atoms(true);
    Wavefunction next = first;
    next.nuclei[1].position = {1.2, 0.8, -0.7};
    for (auto& orbital : next.orbitals)
        for (double& c : orbital.coefficients) c = 0.3 - c;
    const FoldedBasis basis(first);
    ASSERT_TRUE(basis.is_of(first));
    ASSERT_TRUE(basis.is_of(next));
    tessera::kernels::OrbitalProblem shared, own;
    basis.fold(first, {0}, shared);  // leaves nothing behind
    basis.fold(next, {4, 1}, shared);
    tessera::orbitals::fold_orbitals(next, {4, 1}, own);
    EXPECT_EQ(shared.coefficients, own.coefficients);
    ASSERT_EQ(shared.groups.size(), own.groups.size());
    for (std::size_t g = 0; g < own.groups.size(); ++g) {
        EXPECT_EQ(shared.groups[g].center.x, own.groups[g].center.x);
        EXPECT_EQ(shared.groups[g].center.y, own.groups[g].center.y);
        EXPECT_EQ(shared.groups[g].center.z, own.groups[g].center.z);
        EXPECT_EQ(shared.groups[g].exponent, own.groups[g].exponent);
        EXPECT_EQ(shared.groups[g].l, own.groups[g].l);
        EXPECT_EQ(shared.groups[g].first, own.groups[g].first);
    }
    EXPECT_THROW(basis.fold(next, {5}, shared), std::out_of_range);
}

TEST(FoldedBasis, KnowsAnotherBasis) {
    const Wavefunction frame = tessera::test::two_atoms(true);
    const FoldedBasis basis(frame);
    const std::vector<std::function<void(Wavefunction&)>> changes{
        [](Wavefunction& w) { w.nuclei[0].charge = 7; },
        [](Wavefunction& w) {
            w.nuclei.push_back({"H", 1, {}});
        },
        [](Wavefunction& w) { w.shells[3].atom = 1; },
        [](Wavefunction& w) { w.shells[3].l = 1; },
        [](Wavefunction& w) { w.shells[3].spherical = false; },
        [](Wavefunction& w) { w.shells[3].exponents[1] += 1e-15; },
        [](Wavefunction& w) { w.shells[3].coefficients[0] += 1e-15; },
        [](Wavefunction& w) { std::swap(w.shells[3], w.shells[4]); },
        [](Wavefunction& w) { w.shells.pop_back(); }};
    for (std::size_t i = 0; i < changes.size(); ++i) {
        Wavefunction other = frame;
        changes[i](other);
        EXPECT_FALSE(basis.is_of(other)) << i;
    }
}

}  // namespace
