// The cell of a periodic system in Molden texts, and complex orbitals.
#include <gtest/gtest.h>

#include <cmath>

#include "io/wavefunctions/model_warnings.hpp"
#include "molden_texts.hpp"
#include "support/refused_text.hpp"

namespace {

using namespace tessera::test::molden;
using tessera::io::Wavefunction;
using tessera::test::expect_refused;

Wavefunction frame_of(const std::string& text) { return frames_of(text).at(0); }

const std::string good = "\n 9 0 0\n 0 9 0\n 0 0 9\n";

TEST(MoldenCell, IsReadAndToldOf) {
    for (const char* name : {"[Cell] (Bohr)", "[CELL] AU", "[cell] Angs", " [ Cell ] (Angs)"}) {
        const Wavefunction w = frame_of(after_atoms(name + good));
        EXPECT_TRUE(w.lattice);
        ASSERT_EQ(w.warnings.size(), 1u) << name;
        expect_part(w.warnings[0], "'in.molden' describes a periodic system (section [cell]): its");
    }
    EXPECT_FALSE(frame_of(after_atoms("")).lattice);
    Wavefunction w = frame_of(after_atoms("[Cell] Angs\n 9 0 0\n\n 1 8 0\n -0.5 2 7\n"));
    ASSERT_TRUE(w.lattice);
    constexpr double bohr = 0.529177210903;  // Angstrom
    EXPECT_NEAR(w.lattice->vectors[1].y, 8 / bohr, 1e-12);
    EXPECT_NEAR(w.lattice->vectors[2].x, -0.5 / bohr, 1e-12);
    EXPECT_NEAR(w.lattice->volume(), 9 * 8 * 7 / std::pow(bohr, 3), 1e-9);
    tessera::io::isolate(w);
    EXPECT_FALSE(w.lattice);
    EXPECT_TRUE(w.is_periodic);
    expect_part(w.warnings.at(0), "as one isolated molecule");
}

TEST(MoldenCell, BelongsToItsFrame) {
    const auto frames = frames_of(after_atoms("[Cell] AU" + good) + after_atoms("") +
                                  after_atoms("[Cell] AU\n 8 0 0\n 0 8 0\n 0 0 8\n"));
    ASSERT_EQ(frames.size(), 3u);
    EXPECT_EQ(frames[0].lattice->vectors[0].x, 9);
    EXPECT_FALSE(frames[1].lattice);
    EXPECT_EQ(frames[2].lattice->vectors[0].x, 8);
}

TEST(MoldenCell, BadOnesGetOneLine) {
    const auto refused = [](const std::string& section, const std::string& part) {
        expect_refused(frame_of, after_atoms(section), part);
    };
    refused("[Cell]" + good, "[Cell] gives no unit");
    refused("[Cell] nm" + good, "unknown unit 'nm'");
    refused("[Cell] AU" + good + " 1 1 1\n", "more than three vectors");
    refused("[Cell] AU\n 9 0 0\n 0 9 0\n", "not 'x y z'");
    refused("[Cell] AU\n 9 0\n 0 9 0\n 0 0 9\n", "not 'x y z'");
    refused("[Cell] AU\n 9 0 0 0\n 0 9 0\n 0 0 9\n", "not 'x y z'");
    refused("[Cell] AU\n 9 nan 0\n 0 9 0\n 0 0 9\n", "not 'x y z'");
    refused("[Cell] AU\n 9 9 9\n 90 90 90\n 0 0 9\n", "no volume");
    refused("[Cell] AU\n 9 0 0\n 9 1e-3 0\n 0 0 9\n", "no volume");
    refused("[Cell] AU\n 9 0 0\n 0 0 0\n 0 0 9\n", "between 1 and 1e5 bohr");
    refused("[Cell] AU\n 9 0 0\n 0 1e9 0\n 0 0 9\n", "between 1 and 1e5 bohr");
    refused("[Cell] AU" + good + "[Cell] AU" + good, "two sections [Cell]");
}

TEST(MoldenCell, ComplexOrbitalsAreRefused) {
    std::string text = after_atoms("[Cell] AU" + good);
    const std::size_t first = text.find(" 1 1.0E-1\n");
    text.insert(first + 9, " 0.25");
    expect_refused(frame_of, text, "'in.molden:26' (a coefficient has two values: it is complex");
}

}  // namespace
