// Expected numbers without another source: mpmath, 40 digits, from the formulas of
// docs/method/likelihood.md.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "likelihood/model/wedge_geometry.hpp"

namespace tessera::likelihood {
namespace {

struct Place {
    int wedge;
    double mu, nu, l, b;
};

TEST(WedgeGeometry, StripeCoordinatesBecomeGalacticOnes) {
    const Place places[] = {{11, 151.975, -1.09375, -120.3694418939902183, 42.901801403040496469},
                            {82, 371.3, 0.4, 119.56093659118492501, -62.430912964480444576},
                            {46, 10, 1.25, -62.532608662179940791, -28.945504692045404316},
                            {47, 233.7, -1.25, -7.6964684819117571419, -11.739231465664781298}};
    for (const Place& place : places) {
        const Direction found = direction(place.wedge, place.mu, place.nu);
        EXPECT_NEAR(found.l, place.l, 1e-13 * std::abs(place.l)) << "stripe " << place.wedge;
        EXPECT_NEAR(found.b, place.b, 1e-13 * std::abs(place.b)) << "stripe " << place.wedge;
    }
}

TEST(WedgeGeometry, ATurnOfMuChangesNothing) {
    const Direction once = direction(82, 12.5, 0.7), twice = direction(82, 372.5, 0.7);
    EXPECT_NEAR(norm(once.unit - twice.unit), 0, 1e-14);
}

TEST(WedgeGeometry, PositionsAreMeasuredFromTheGalacticCentre) {
    const Vec3 centre = galactic_position(galactic_direction(0, 0), 8.5);
    EXPECT_NEAR(norm(centre), 0, 1e-14);
    const Vec3 pole = galactic_position(galactic_direction(123, 90), 3);
    EXPECT_NEAR(norm(pole - Vec3{-8.5, 0, 3}), 0, 1e-14);
}

TEST(WedgeGeometry, AStreamIsACylinderAboutItsCentreOnTheStripe) {
    const io::Stream stream{0, 372.5, 20, std::numbers::pi / 2, std::numbers::pi / 2, -0.5};
    const StreamCylinder found = cylinder(stream, 82);
    EXPECT_NEAR(norm(found.axis - Vec3{0, 1, 0}), 0, 1e-15);
    EXPECT_NEAR(norm(found.centre - galactic_position(direction(82, 12.5, 0), 20)), 0, 1e-13);
    EXPECT_EQ(found.inverse_two_sigma2, 2.0);
}

TEST(WedgeGeometry, CellsOfNuAddUpToTheWedge) {
    const io::Cells nu{-1.25, 1.25, 320};
    EXPECT_NEAR(nu_weight(nu, 3), 0.00013632280322560866237, 1e-15 * 1.36e-4);
    double sum = 0;
    for (int i = 0; i < nu.steps; ++i) sum += nu_weight(nu, i);
    EXPECT_NEAR(sum, 2 * std::sin(1.25 * std::numbers::pi / 180), 1e-16 * 10);
    EXPECT_EQ(cell_centre({16, 20, 4}, 1), 17.5);
}

}  // namespace
}  // namespace tessera::likelihood
