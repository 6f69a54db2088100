// WFN texts: orbitals over raw primitives, whose values follow from the text alone.
#include <gtest/gtest.h>

#include "folded_value.hpp"
#include "io/wavefunctions/wfn_reader.hpp"
#include "support/refused_text.hpp"

namespace {

using tessera::Vec3;
using tessera::io::Spin;
using tessera::io::Wavefunction;

// Primitives: s on both nuclei, p_y, d_xz, f_xxy (type 14), f_xyy (17), g_xyyz (34), h_xxxzz (51),
// one s twice. The second nucleus as Fortran prints it beyond 10 bohr, without blanks.
const std::string good_wfn =
    " two atoms\n"
    "GAUSSIAN              3 MOL ORBITALS      9 PRIMITIVES        2 NUCLEI\n"
    "  C    1    (CENTRE  1)   0.00000000  0.00000000  0.50000000  CHARGE =  6.0\n"
    "  H    2    (CENTRE  2)   1.00000000-10.25000000-20.50000000  CHARGE =  1.0\n"
    "CENTRE ASSIGNMENTS    1  2  1  1  1\n"
    "CENTRE ASSIGNMENTS    1  1  1  1\n"
    "TYPE ASSIGNMENTS      1  1  3  9 14\n"
    "TYPE ASSIGNMENTS     17 34 51  1\n"
    "EXPONENTS  0.1100000D+01 0.4000000D+00 0.7000000D+00 0.9000000D+00 0.8000000D+00\n"
    "EXPONENTS  0.8000000D+00 0.6000000D+00 0.5000000D+00 0.1100000D+01\n"
    "MO    1     MO 0.0        OCC NO =    1.0000000  ORB. ENERGY =   -1.000000\n"
    "  0.10000000D+00  0.20000000D+00  0.30000000D+00  0.40000000D+00  0.50000000D+00\n"
    "  0.60000000D+00  0.70000000D+00  0.90000000D+00  0.80000000D+00\n"
    "MO    2     MO 0.0        OCC NO =    1.0000000  ORB. ENERGY =   -0.500000\n"
    " 0 0 0 0 0\n 0 1 0 0\n"
    "MO    3     MO 0.0        OCC NO =    1.0000000  ORB. ENERGY =   -0.900000\n"
    " 0 1 0 0 0\n 0 0 0 0\n"
    "END DATA\n"
    " THE  HF ENERGY =    -74.965901192180 THE VIRIAL(-V/T)=   2.00600662\n";

Wavefunction read_wfn(const std::string& text) { return tessera::io::read_wfn({"in.wfn", text}); }

std::string with(std::string text, const std::string& what, const std::string& by) {
    return text.replace(text.find(what), what.size(), by);
}

TEST(Wfn, ValuesAreThoseOfTheRawPrimitives) {
    ASSERT_TRUE(tessera::io::is_wfn({"in.wfn", good_wfn}));
    const Wavefunction frame = read_wfn(good_wfn);
    EXPECT_EQ(frame.title, "two atoms");
    EXPECT_EQ(frame.nuclei[0].symbol, "C");
    EXPECT_EQ(frame.nuclei[1].position.y, -10.25);
    EXPECT_EQ(frame.nuclei[1].position.z, -20.5);
    EXPECT_EQ(frame.orbitals[1].energy, -0.5);
    const Vec3 r{0.4, -0.7, 0.9};
    const double x = r.x, y = r.y, z = r.z - 0.5, r2 = x * x + y * y + z * z;
    const double first = 0.9 * std::exp(-1.1 * r2) + 0.3 * y * std::exp(-0.7 * r2) +
                         0.4 * x * z * std::exp(-0.9 * r2) +
                         (0.5 * x * x * y + 0.6 * x * y * y) * std::exp(-0.8 * r2) +
                         0.7 * x * y * y * z * std::exp(-0.6 * r2) +
                         0.9 * x * x * x * z * z * std::exp(-0.5 * r2);
    EXPECT_NEAR(tessera::test::folded_value(frame, 0, r), first, 1e-15);
    EXPECT_NEAR(tessera::test::folded_value(frame, 1, r), x * y * y * z * std::exp(-0.6 * r2),
                1e-15);
    EXPECT_NEAR(tessera::test::folded_value(frame, 2, {1.5, -10, -20}), std::exp(-0.4 * 0.5625),
                1e-15);
}

std::vector<Spin> spins_of(const Wavefunction& frame) {
    std::vector<Spin> spins;
    for (const auto& orbital : frame.orbitals) spins.push_back(orbital.spin);
    return spins;
}

TEST(Wfn, AChargeBelowTheElementIsToldOf) {
    const std::size_t before = read_wfn(good_wfn).warnings.size();  // of the spins
    const std::vector<std::string> warnings =
        read_wfn(with(good_wfn, "CHARGE =  6.0", "CHARGE =  4.0")).warnings;
    ASSERT_EQ(warnings.size(), before + 1);
    EXPECT_NE(warnings[0].find("atom 1, C, has the charge 4"), std::string::npos) << warnings[0];
}

TEST(Wfn, SpinsAreToldByOccupationAndOrder) {
    const Wavefunction open = read_wfn(good_wfn);
    EXPECT_EQ(spins_of(open), (std::vector{Spin::alpha, Spin::alpha, Spin::beta}));
    ASSERT_EQ(open.warnings.size(), 1u);
    EXPECT_NE(open.warnings[0].find("from 3 on are treated as beta"), std::string::npos);

    const Wavefunction high = read_wfn(with(good_wfn, "-0.900000", "-0.100000"));
    EXPECT_EQ(spins_of(high), std::vector(3, Spin::alpha));
    EXPECT_NE(high.warnings.at(0).find("all orbitals are treated as alpha"), std::string::npos);
    const Wavefunction numbered =
        read_wfn(with(with(good_wfn, "-0.900000", "-0.100000"), "MO    3", "MO    1"));
    EXPECT_EQ(numbered.orbitals[2].spin, Spin::beta);

    const Wavefunction unsorted = read_wfn(with(good_wfn, "-0.500000", "-1.500000"));
    EXPECT_EQ(unsorted.orbitals[1].spin, Spin::beta);
    const Wavefunction hopeless =
        read_wfn(with(with(good_wfn, "-0.500000", "-1.500000"), "-0.900000", "-1.900000"));
    EXPECT_EQ(spins_of(hopeless), std::vector(3, Spin::alpha));
    EXPECT_NE(hopeless.warnings.at(0).find("spin density would be wrong"), std::string::npos);

    const Wavefunction restricted =
        read_wfn(with(good_wfn, "OCC NO =    1.0000000", "OCC NO =    2.0000000"));
    EXPECT_EQ(spins_of(restricted), std::vector(3, Spin::alpha));
    EXPECT_TRUE(restricted.warnings.empty());
}

/// From nucleus 100 on the three columns of a number leave no blank.
TEST(Wfn, HundredNuclei) {
    std::string text = "\nGAUSSIAN 1 MOL ORBITALS 101 PRIMITIVES 101 NUCLEI\n";
    for (int i = 1; i <= 101; ++i)
        text += " H " + std::to_string(i) + " (CENTRE" + std::to_string(i) + ") " +
                std::to_string(i) + " 0 0 CHARGE = 1.0\n";
    for (int i = 1; i <= 101; ++i) {
        if (i % 20 == 1) text += "\nCENTRE ASSIGNMENTS  ";
        const std::string number = std::to_string(i);
        text += std::string(3 - number.size(), ' ') + number;
    }
    for (int i = 0; i < 101; ++i) text += (i % 20 == 0 ? "\nTYPE ASSIGNMENTS      1" : "  1");
    for (int i = 0; i < 101; ++i) text += (i % 5 == 0 ? "\nEXPONENTS  1.0" : " 1.0");
    text += "\nMO  1   OCC NO =   2.00000000 ORB. ENERGY = 0.0000\n";
    for (int i = 1; i <= 101; ++i) text += i == 101 ? " 1.0" : " 0.0";
    const Wavefunction frame = read_wfn(text + "\nEND DATA\n");
    EXPECT_EQ(frame.shells.back().atom, 100);
    EXPECT_NEAR(tessera::test::folded_value(frame, 0, {101, 0.5, 0}), std::exp(-0.25), 1e-15);
}

void expect_wfn_error(const std::string& what, const std::string& by, const std::string& part) {
    tessera::test::expect_refused(read_wfn, with(good_wfn, what, by), part);
}

TEST(Wfn, BadFilesGetOneClearLine) {
    expect_wfn_error("GAUSSIAN", "SLATER", "functions are of kind 'SLATER'");
    expect_wfn_error(" 17 34 51", " 17 34 57", "unknown primitive type 57");
    expect_wfn_error(" 1  2  1  1  1", " 1  3  1  1  1", "nucleus 3");
    expect_wfn_error(" 1  2  1  1  1", " 1  2  1  1", "'TYPE' instead of CENTRE");
    expect_wfn_error(" 1  2  1  1  1", " 1  2  1  1  1  1", "more numbers than primitives");
    expect_wfn_error("0.9000000D+00", "nan", "'nan' is not a number");
    expect_wfn_error("-10.25000000", "-10.2500000x", "coordinate");
    expect_wfn_error("  CHARGE =  1.0", "", "is not a nucleus");
    expect_wfn_error("OCC NO =    1.0000000", "", "no number after 'OCC NO ='");
    expect_wfn_error("0.70000000D+00", "", "coefficient of orbital 1");
    expect_wfn_error("MO    2", "NO    2", "instead of orbital 2");
    expect_wfn_error("END DATA", "", "no END DATA");
}

TEST(Wfn, MutatedTextsAreReadOrRefused) {
    tessera::test::expect_read_or_refused(read_wfn, good_wfn, 20104);
}

}  // namespace
