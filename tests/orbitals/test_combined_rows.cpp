// Combinations at points against plain sums over each file alone, and what is refused.
#include "orbitals/tiles/combined_rows.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "core/error.hpp"
#include "folded_value.hpp"
#include "orbitals/basis/merged_basis.hpp"
#include "orbitals/tiles/combined_sources.hpp"
#include "small_frames.hpp"

namespace {

using namespace tessera;
using namespace tessera::orbitals;
using test::folded_value;

io::Wavefunction occupied(io::Wavefunction frame) {
    for (std::size_t i = 0; i < frame.orbitals.size(); ++i) {
        frame.orbitals[i].occupation = i < 3 ? 2 : 0;
        frame.orbitals[i].energy = static_cast<double>(i);
    }
    return frame;
}

/// The first atom of two_atoms(), with its functions in another order.
io::Wavefunction fragment() {
    io::Wavefunction frame = occupied(test::two_atoms(true));
    frame.path = "fragment";
    frame.nuclei.resize(1);
    frame.shells.resize(5);
    std::swap(frame.shells[1], frame.shells[3]);
    const auto functions = static_cast<std::size_t>(frame.basis_functions());
    for (auto& orbital : frame.orbitals) orbital.coefficients.resize(functions);
    return frame;
}

/// A frame with further sources.
PreparedOrbitals prepared(const std::string& expression, const io::Wavefunction& frame,
                          std::vector<std::pair<std::string, io::Wavefunction>> sources = {}) {
    PreparedOrbitals p;
    p.frames = {{frame, 1, {}}};
    for (auto& [name, wavefunction] : sources)
        p.sources.push_back({name, {{std::move(wavefunction), 1, {}}}});
    p.combinations = parse_combinations({expression});
    return p;
}

double at(const CombinedRows& rows, Vec3 r) {
    double sum = 0;
    for (std::size_t i = 0; i < rows.weights.size(); ++i) {
        const double psi = folded_value(rows.wavefunction, static_cast<int>(i), r);
        sum += rows.weights[i] * (rows.of_squares ? psi * psi : psi);
    }
    return sum;
}

double density(const io::Wavefunction& frame, Vec3 r) {
    double sum = 0;
    for (int i = 0; i < std::ssize(frame.orbitals); ++i) {
        const double psi = folded_value(frame, i, r);
        sum += frame.orbitals[static_cast<std::size_t>(i)].occupation * psi * psi;
    }
    return sum;
}

void expect_values(const PreparedOrbitals& p, const std::function<double(Vec3)>& expected) {
    const CombinedRows rows = combine(p, 0, 0);
    std::mt19937 random(11);
    std::uniform_real_distribution<double> uniform(-2, 2);
    for (int n = 0; n < 40; ++n) {
        const Vec3 r{uniform(random), uniform(random), uniform(random)};
        EXPECT_NEAR(at(rows, r), expected(r), 1e-13);
    }
}

std::string refusal(const PreparedOrbitals& p) {
    try {
        combine(p, 0, 0);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

const io::Wavefunction whole = occupied(test::two_atoms(true));

TEST(CombinedRows, SumOfOrbitalsIsOneOrbital) {
    const auto p = prepared("0.6*orbital(1) - 0.8*orbital(LUMO+1) + orbital(1)/2", whole);
    EXPECT_EQ(combine(p, 0, 0).weights.size(), 1U);
    expect_values(p, [](Vec3 r) {
        return 1.1 * folded_value(whole, 0, r) - 0.8 * folded_value(whole, 4, r);
    });
}

TEST(CombinedRows, DensitiesOfFilesWithSeveralBases) {
    const auto p = prepared("density - 1.5*density(f)", whole, {{"f", fragment()}});
    const CombinedRows rows = combine(p, 0, 0);
    EXPECT_EQ(rows.weights.size(), 6U);
    EXPECT_EQ(rows.electrons, 6 - 1.5 * 6);
    EXPECT_EQ(rows.wavefunction.nuclei.size(), 2U);  // the fragment's atom is the same atom
    EXPECT_EQ(rows.wavefunction.basis_functions(), whole.basis_functions());
    expect_values(p, [](Vec3 r) { return density(whole, r) - 1.5 * density(fragment(), r); });
}

TEST(CombinedRows, ProductsOfOrbitals) {
    const auto p =
        prepared("2*(orbital(1) + orbital(2))*orbital(f, 5) - orbital(3)*orbital(3)/4 + density",
                 whole, {{"f", fragment()}});
    EXPECT_FALSE(combine(p, 0, 0).electrons.has_value());
    expect_values(p, [](Vec3 r) {
        const double third = folded_value(whole, 2, r);
        return 2 * (folded_value(whole, 0, r) + folded_value(whole, 1, r)) *
                   folded_value(fragment(), 4, r) -
               third * third / 4 + density(whole, r);
    });
}

TEST(CombinedRows, SquareOfAnOrbitalIsOneRow) {
    const CombinedRows rows = combine(prepared("-2*orbital(2)*orbital(2)", whole), 0, 0);
    EXPECT_EQ(rows.weights, std::vector<double>{-2});
    // The square of a sum needs one row as well, because the difference vanishes.
    const auto sum = "(orbital(1)+orbital(2))*(orbital(1)+orbital(2))";
    EXPECT_EQ(combine(prepared(sum, whole), 0, 0).weights.size(), 1U);
}

TEST(CombinedRows, WhatCancelsLeavesNoRow) {
    auto p = prepared("density - density(1)", whole, {{"1", whole}});
    EXPECT_TRUE(combine(p, 0, 0).weights.empty());
    EXPECT_NE(refusal(prepared("orbital(1) - orbital(1)", whole)).find("zero everywhere"),
              std::string::npos);
}

TEST(CombinedRows, FollowTheSignsOfTracking) {
    auto p = prepared("orbital(2) - orbital(1)", whole);
    p.tracked = true;
    p.selection = {SelectedOrbital{"1"}, SelectedOrbital{"2"}};
    p.frames[0].items = {{3, -1}, {0, 1}};  // they have changed places
    expect_values(p, [](Vec3 r) { return folded_value(whole, 0, r) + folded_value(whole, 3, r); });
    p.selection.pop_back();
    EXPECT_NE(refusal(p).find("2 is not among the orbitals of the run"), std::string::npos);
}

TEST(CombinedRows, FramesGoWithThoseOfAFile) {
    auto p = prepared("orbital(f, 1)", whole);
    p.frames.push_back({whole, 2, {}});
    io::Wavefunction other = whole;
    std::swap(other.orbitals[0], other.orbitals[4]);
    p.sources = {{"f", {{whole, 1, {}}, {other, 2, {}}}}};
    EXPECT_EQ(combine(p, 0, 0).wavefunction.orbitals[0].coefficients,
              whole.orbitals[0].coefficients);
    EXPECT_EQ(combine(p, 1, 0).wavefunction.orbitals[0].coefficients,
              whole.orbitals[4].coefficients);
}

TEST(CombinedRows, OtherGeometriesAreRefused) {
    io::Wavefunction moved = whole;
    moved.nuclei[1].position.x += 0.25;
    auto p = prepared("density - density(m)", whole, {{"m", moved}});
    const std::string line = refusal(p);
    EXPECT_NE(line.find("another geometry"), std::string::npos) << line;
    EXPECT_NE(line.find("its atom 2, C, is 0.25 bohr from the nearest C"), std::string::npos)
        << line;
    p.different_geometries = true;
    EXPECT_EQ(combine(p, 0, 0).wavefunction.nuclei.size(), 3U);
    expect_values(p, [&](Vec3 r) { return density(whole, r) - density(moved, r); });

    moved = whole;
    moved.nuclei[1].charge = 7;
    EXPECT_NE(refusal(prepared("density - density(m)", whole, {{"m", moved}})).find("not among"),
              std::string::npos);
    moved.nuclei[1].charge = 0;  // a ghost
    EXPECT_EQ(refusal(prepared("density - density(m)", whole, {{"m", moved}})), "");
}

TEST(CombinedRows, FragmentsNeedOneWholeOnly) {
    io::Wavefunction other = fragment();
    other.nuclei[0] = whole.nuclei[1];
    const std::vector<std::pair<std::string, io::Wavefunction>> both{{"a", fragment()},
                                                                     {"b", other}};
    const auto of_whole = prepared("density(a) + density(b)", whole, both);
    EXPECT_EQ(combine(of_whole, 0, 0).weights.size(), 6U);
    // Alone, neither has the atoms of the other.
    EXPECT_NE(refusal(prepared("density(a) + density(b)", other, both)).find("another geometry"),
              std::string::npos);
    // A frame that is not named need not fit.
    EXPECT_EQ(refusal(prepared("density(a)", other, {{"a", fragment()}})), "");
}

TEST(CombinedRows, RoundedPositionsAreOneGeometry) {
    io::Wavefunction rounded = whole;
    rounded.nuclei[0].position.y += 4e-5;
    const auto p = prepared("orbital(1) - orbital(m, 2)", whole, {{"m", rounded}});
    const CombinedRows rows = combine(p, 0, 0);
    EXPECT_NEAR(rows.displacement, 4e-5, 1e-15);
    EXPECT_EQ(rows.wavefunction.nuclei.size(), 3U);  // no function moves
    expect_values(p,
                  [&](Vec3 r) { return folded_value(whole, 0, r) - folded_value(rounded, 1, r); });
}

TEST(CombinedRows, SumsOfOrbitalsNeedOneBasis) {
    const auto p = prepared("orbital(1) + orbital(f, 1)", whole, {{"f", fragment()}});
    EXPECT_NE(refusal(p).find("two basis sets"), std::string::npos);
}

TEST(MergedBasis, KeepsEqualShellsOfOneFileApart) {
    io::Wavefunction twice = test::one_shell(1, false, {1.5}, {1});
    twice.shells.push_back(twice.shells[0]);
    MergedBasis basis;
    basis.add(twice);
    basis.add(test::one_shell(1, false, {1.5}, {1}));
    basis.add(twice);
    EXPECT_EQ(basis.functions(), 6U);
    EXPECT_EQ(basis.expanded(0, {1, 2, 3, 4, 5, 6}), (std::vector<double>{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(basis.expanded(1, {1, 2, 3}), (std::vector<double>{1, 2, 3, 0, 0, 0}));
    EXPECT_EQ(basis.expanded(2, {1, 2, 3, 4, 5, 6}), (std::vector<double>{1, 2, 3, 4, 5, 6}));
}

}  // namespace
