// The same molecule through the Molden and the checkpoint reader gives the same orbitals.
#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "folded_value.hpp"
#include "io/wavefunctions/fchk_reader.hpp"
#include "io/wavefunctions/molden_reader.hpp"
#include "support/fchk_text.hpp"

namespace {

using tessera::io::Wavefunction;
using tessera::test::folded_value;

constexpr int functions = 4 + 6 + 7 + 15;

// Some number for each function of the molecule, by name.
double coefficient(std::string_view name) {
    double value = 0.1;
    for (const char c : name) value = 1.7 * value - 0.13 * (c - 'w');
    return value / 50;
}

std::vector<double> orbital(std::vector<std::string> g_order) {
    std::vector<double> c;
    for (const char* name : {"s", "x", "y", "z", "xx", "yy", "zz", "xy", "xz", "yz", "f0", "f1",
                             "f-1", "f2", "f-2", "f3", "f-3"})
        c.push_back(coefficient(name));
    for (std::string& name : g_order) {
        std::sort(name.begin(), name.end());
        c.push_back(coefficient(name));
    }
    return c;
}

Wavefunction from_molden() {
    std::string text = "[Molden Format]\n[Atoms] (Angs)\nC 1 6 0 0 0.529177210903\nN 2 7 "
                       "0.529177210903 0 0\n[7F]\n"
                       "[GTO]\n1 0\nsp 2 1.0\n3.0 0.1 0.2\n0.7 0.3 0.4\nd 1 1.0\n0.9 1.0\n\n2 0\nf "
                       "2 1.0\n1.5 0.4\n0.6 0.7\n"
                       "g 1 1.0\n0.8 1.0\n\n[MO]\nEne= -1\nSpin= Alpha\nOccup= 2\n";
    int k = 0;
    for (const double c : orbital({"xxxx", "yyyy", "zzzz", "xxxy", "xxxz", "yyyx", "yyyz", "zzzx",
                                   "zzzy", "xxyy", "xxzz", "yyzz", "xxyz", "yyxz", "zzxy"})) {
        char line[64];
        std::snprintf(line, sizeof line, "%d %.17g\n", ++k, c);
        text += line;
    }
    return tessera::io::read_molden({"in.molden", text}).at(0);
}

Wavefunction from_fchk() {
    tessera::test::FchkText file;
    file.scalar("Number of atoms", 2)
        .scalar("Number of alpha electrons", 1)
        .scalar("Number of beta electrons", 1)
        .array("Atomic numbers", std::vector<int>{6, 7})
        .array("Current cartesian coordinates", std::vector<double>{0, 0, 1, 1, 0, 0})
        .array("Shell types", std::vector<int>{-1, 2, -3, 4})
        .array("Number of primitives per shell", std::vector<int>{2, 1, 2, 1})
        .array("Shell to atom map", std::vector<int>{1, 1, 2, 2})
        .array("Primitive exponents", std::vector<double>{3, 0.7, 0.9, 1.5, 0.6, 0.8})
        .array("Contraction coefficients", std::vector<double>{0.1, 0.3, 1, 0.4, 0.7, 1})
        .array("P(S=P) Contraction coefficients", std::vector<double>{0.2, 0.4, 0, 0, 0, 0})
        .array("Alpha Orbital Energies", std::vector<double>{-1})
        .array("Alpha MO coefficients",
               orbital({"zzzz", "yzzz", "yyzz", "yyyz", "yyyy", "xzzz", "xyzz", "xyyz", "xyyy",
                        "xxzz", "xxyz", "xxyy", "xxxz", "xxxy", "xxxx"}));
    return tessera::io::read_fchk({"in.fchk", file.text()});
}

TEST(WavefunctionFormats, GiveTheSameOrbital) {
    const Wavefunction molden = from_molden(), fchk = from_fchk();
    ASSERT_EQ(molden.basis_functions(), functions);
    ASSERT_EQ(fchk.basis_functions(), functions);
    EXPECT_EQ(molden.orbitals[0].occupation, fchk.orbitals[0].occupation);
    double largest = 0;
    for (double x = -2; x < 3; x += 0.7)
        for (double y = -2; y < 3; y += 0.7)
            for (double z = -2; z < 3; z += 0.7) {
                const double value = folded_value(molden, 0, {x, y, z});
                largest = std::max(largest, std::abs(value));
                EXPECT_NEAR(folded_value(fchk, 0, {x, y, z}), value, 1e-14);
            }
    EXPECT_GT(largest, 1e-2);
}

}  // namespace
