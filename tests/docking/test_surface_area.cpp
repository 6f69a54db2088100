// Solvent-accessible surface against closed forms.
#include "docking/model/surface_area.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <numbers>
#include <random>

namespace {

using tessera::Vec3;
using tessera::docking::solvent_accessible_areas;

double sphere_area(double radius) { return 4 * std::numbers::pi * radius * radius; }

TEST(SurfaceArea, OfALoneAtomIsItsSphere) {
    EXPECT_NEAR(solvent_accessible_areas({{3, -2, 7}}, {1.6})[0], sphere_area(3.0), 1e-9);
    EXPECT_TRUE(solvent_accessible_areas({}, {}).empty());
}

// A sphere of radius R loses a cap of height h = R - (d^2 + R^2 - S^2) / 2d, area 2 pi R h, to a
// sphere of radius S at distance d.
TEST(SurfaceArea, OfTwoOverlappingSpheresLosesTheCaps) {
    const double r1 = 1.9 + 1.4, r2 = 2.3 + 1.4;
    for (const double d : {1.0, 2.5, 4.0, 6.0, 7.2}) {
        const Vec3 second{d / std::sqrt(3.0), -d / std::sqrt(3.0), d / std::sqrt(3.0)};
        const auto areas = solvent_accessible_areas({{0, 0, 0}, second}, {1.9, 2.3}, 1.4, 4000);
        const double h1 = std::max(r1 - (d * d + r1 * r1 - r2 * r2) / (2 * d), 0.0);
        const double h2 = std::max(r2 - (d * d + r2 * r2 - r1 * r1) / (2 * d), 0.0);
        EXPECT_NEAR(areas[0], sphere_area(r1) - 2 * std::numbers::pi * r1 * h1,
                    0.004 * sphere_area(r1));
        EXPECT_NEAR(areas[1], sphere_area(r2) - 2 * std::numbers::pi * r2 * h2,
                    0.004 * sphere_area(r2));
    }
}

TEST(SurfaceArea, OfABuriedAtomIsZero) {
    // Six neighbours along the axes 2.5 A away leave no gap for the probe; one removed opens the
    // cage.
    std::vector<Vec3> cage{{0, 0, 0},    {2.5, 0, 0}, {-2.5, 0, 0}, {0, 2.5, 0},
                           {0, -2.5, 0}, {0, 0, 2.5}, {0, 0, -2.5}};
    EXPECT_EQ(solvent_accessible_areas(cage, std::vector<double>(7, 2.0))[0], 0);
    cage.pop_back();
    EXPECT_GT(solvent_accessible_areas(cage, std::vector<double>(6, 2.0))[0], 1);
}

TEST(SurfaceArea, CellListsFindWhatAllPairsFind) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> coordinate(-12, 12), size(1.2, 2.5);
    std::vector<Vec3> positions;
    std::vector<double> radii;
    for (int i = 0; i < 300; ++i) {
        positions.push_back({coordinate(random), coordinate(random), coordinate(random)});
        radii.push_back(size(random));
    }
    const int points = 200;
    const auto areas = solvent_accessible_areas(positions, radii, 1.4, points);
    for (std::size_t i = 0; i < positions.size(); ++i) {
        int free = 0;
        const double radius = radii[i] + 1.4;
        for (int k = 0; k < points; ++k) {  // the same spiral, all pairs
            const double z = 1 - (2 * k + 1.0) / points, r = std::sqrt(1 - z * z);
            const double angle = std::numbers::pi * (3 - std::sqrt(5.0)) * k;
            const Vec3 p =
                positions[i] + radius * Vec3{r * std::cos(angle), r * std::sin(angle), z};
            bool covered = false;
            for (std::size_t j = 0; j < positions.size(); ++j)
                covered |= j != i && norm(p - positions[j]) < radii[j] + 1.4;
            free += !covered;
        }
        EXPECT_NEAR(areas[i], sphere_area(radius) * free / points,
                    1.01 * sphere_area(radius) / points);
    }
}

TEST(SurfaceArea, IsTheSameFarFromTheOrigin) {
    const auto here = solvent_accessible_areas({{0, 0, 0}, {2, 0, 0}}, {2, 2});
    const auto there = solvent_accessible_areas({{-99000, 99000, 0}, {-98998, 99000, 0}}, {2, 2});
    EXPECT_NEAR(here[0], there[0], 1.0);
}

TEST(SurfaceArea, OfAProteinSizedBallIsQuick) {
    std::mt19937 random(6);
    std::uniform_real_distribution<double> coordinate(-26, 26);
    std::vector<Vec3> positions;
    while (positions.size() < 6000)  // 0.08 atoms / A^3, as in proteins
        if (const Vec3 p{coordinate(random), coordinate(random), coordinate(random)}; norm(p) < 26)
            positions.push_back(p);
    const auto start = std::chrono::steady_clock::now();
    const auto areas = solvent_accessible_areas(positions, std::vector<double>(6000, 2.0));
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    RecordProperty("milliseconds", static_cast<int>(1000 * seconds.count()));
    EXPECT_LT(seconds.count(),
              5.0);  // 0.1 s on one core; generous for sanitizers and busy machines
    double total = 0;
    for (const double area : areas) total += area;
    EXPECT_GT(total, sphere_area(26));
    EXPECT_LT(total, 2 * sphere_area(30));
}

}  // namespace
