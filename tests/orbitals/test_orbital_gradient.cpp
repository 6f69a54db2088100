// Gradients of orbitals: as orbitals of other functions, and in expressions.
#include "orbitals/basis/orbital_gradient.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "folded_value.hpp"
#include "orbitals/selection/combination.hpp"
#include "small_frames.hpp"

namespace {

using namespace tessera;
using namespace tessera::orbitals;

/// By differences of the sixth order.
double difference(const io::Wavefunction& frame, int orbital, Vec3 r, int axis) {
    constexpr double h = 0.01;
    const auto at = [&](double steps) {
        const Vec3 there{r.x + (axis == 0 ? steps * h : 0), r.y + (axis == 1 ? steps * h : 0),
                         r.z + (axis == 2 ? steps * h : 0)};
        return test::folded_value(frame, orbital, there);
    };
    return ((at(1) - at(-1)) * 45 - (at(2) - at(-2)) * 9 + (at(3) - at(-3))) / (60 * h);
}

TEST(OrbitalGradient, AgreesWithDifferences) {
    for (const bool spherical : {false, true}) {
        const io::Wavefunction frame = test::two_atoms(spherical);
        for (const int axis : {0, 1, 2}) {
            const io::Wavefunction made = gradient_along(frame, axis);
            ASSERT_EQ(made.orbitals.size(), frame.orbitals.size());
            for (const int orbital : {0, 3})
                for (const Vec3 r : {Vec3{0.5, 0.3, -0.2}, Vec3{1.7, -0.6, 0.4}, Vec3{-1, 2, -1}}) {
                    const double found = test::folded_value(made, orbital, r);
                    EXPECT_NEAR(found, difference(frame, orbital, r, axis), 1e-9);
                }
        }
    }
}

/// d/dz of N exp(-a r^2) is -2 a z N exp(-a r^2), and N is (2 a / pi)^(3/4).
TEST(OrbitalGradient, OfAnSFunctionByHand) {
    const double a = 0.8, norm = std::pow(2 * a / M_PI, 0.75);
    const io::Wavefunction made = gradient_along(test::one_shell(0, false, {a}, {3}), 2);
    const Vec3 r{0.4, -0.3, 0.7};
    EXPECT_NEAR(test::folded_value(made, 0, r), -2 * a * r.z * norm * std::exp(-a * dot(r, r)),
                1e-15);
    EXPECT_THROW(gradient_along(test::one_shell(5, true, {1}, {1}), 0), Error);
}

TEST(OrbitalGradient, InExpressions) {
    const auto parsed = [](const std::string& text) { return parse_combinations({text}).at(0); };
    const Combination one = parsed("g = 2*gradient_y(orbital(HOMO) - 0.5*orbital(3)) "
                                   "+ gradient_y(orbital(1))");
    EXPECT_EQ(one.axis, 1);
    ASSERT_EQ(one.orbitals.size(), 3u);
    EXPECT_EQ(one.orbitals[1].factor, -1);
    EXPECT_EQ(one.orbitals[2].factor, 1);
    EXPECT_STREQ(one.units(), "bohr^-5/2");
    EXPECT_EQ(parsed("orbital(1)").axis, -1);
    for (const char* bad :
         {"gradient_x(orbital(1)) + orbital(1)", "gradient_x(orbital(1)) - gradient_y(orbital(1))",
          "gradient_x(density)", "gradient_x(gradient_x(orbital(1)))", "gradient_x(2)",
          "gradient_x(orbital(1))*orbital(1)", "gradient_x", "gradient_w(orbital(1))",
          "gradient_x(orbital(1)"})
        EXPECT_THROW(parsed(bad), Error) << bad;
}

}  // namespace
