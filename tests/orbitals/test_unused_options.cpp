// Options of tessera orbital that change nothing, and factors of which nothing is left.
#include "orbitals/selection/unused_options.hpp"

#include <gtest/gtest.h>

#include "support/message_of.hpp"

namespace tessera::orbitals {
namespace {

OrbitalInput at_points() {
    OrbitalInput input;
    input.fields = "esp";
    input.points = "points.csv";
    input.grids = false;
    return input;
}

TEST(UnusedOptions, APotentialAtPointsHasNoGrid) {
    OrbitalInput input = at_points();
    EXPECT_TRUE(unused_options(input).empty());
    input.spacing = {0.3, 0.3, 0.4};
    input.padding = 1;
    input.cell_grid = true;
    ASSERT_EQ(unused_options(input).size(), 1U);
    EXPECT_EQ(unused_options(input)[0].find("--spacing, --padding, --grid with nothing but"), 0U);
    for (const auto more : {&OrbitalInput::density, &OrbitalInput::mean_density}) {
        OrbitalInput with_grid = input;
        with_grid.*more = true;
        EXPECT_TRUE(unused_options(with_grid).empty());
    }
    input.orbitals = "HOMO";
    EXPECT_TRUE(unused_options(input).empty());
}

TEST(UnusedOptions, TheTolerancesOfWhatIsNotComputed) {
    OrbitalInput input;
    input.potential_tolerance = 1e-4;
    ASSERT_EQ(unused_options(input).size(), 1U);
    EXPECT_EQ(unused_options(input)[0].find("--esp-tolerance without --esp: "), 0U);
    input.vertex_fields = "esp";
    EXPECT_TRUE(unused_options(input).empty());
    input = at_points();
    input.potential_tolerance = 1e-4;
    EXPECT_TRUE(unused_options(input).empty());
}

TEST(UnusedOptions, CompressionWithoutGrids) {
    OrbitalInput input;
    input.deflate = 4;
    EXPECT_TRUE(unused_options(input).empty());
    input.grids = false;
    ASSERT_EQ(unused_options(input).size(), 1U);
    EXPECT_EQ(unused_options(input)[0].find("--compress without grids: "), 0U);
}

// The smallest float that is not 0 is 1.4e-45, and densities of 1e-8 matter.
TEST(Combinations, MustNotVanishInSinglePrecision) {
    const auto said = [](const std::string& expression, bool in_double) {
        OrbitalInput input;
        input.combine = {"d = " + expression};
        input.double_precision = in_double;
        return test::message_of([&] { validate(input); });
    };
    for (const char* expression :
         {"density*1e-50", "1e-50*density - density/1e50", "1e-16*orbital(1)*(1e-16*orbital(2))"}) {
        EXPECT_NE(said(expression, false).find("d: its values vanish in single precision"),
                  std::string::npos)
            << expression;
        EXPECT_EQ(said(expression, true), "no error") << expression;
    }
    for (const char* expression : {"density*1e-29", "density - 1e-50*density", "0*density"})
        EXPECT_EQ(said(expression, false), "no error") << expression;
}

}  // namespace
}  // namespace tessera::orbitals
