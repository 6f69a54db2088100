// Stars that are not the wedge's are counted and named.
#include "likelihood/model/star_checks.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "likelihood/model/radial_nodes.hpp"
#include "likelihood/model/wedge_geometry.hpp"
#include "small_wedge.hpp"

namespace tessera::likelihood {
namespace {

Star star_at(const StreamModel& model, double mu, double nu, double magnitude) {
    const Direction at = direction(model.wedge, mu, nu);
    return {at.l, at.b, distance_of(magnitude)};
}

/// On a lattice of the wedge with its corners, mu a turn off.
std::vector<Star> stars_of(const StreamModel& model) {
    std::vector<Star> stars;
    const io::Area& area = model.areas[0];
    const auto at = [](const io::Cells& cells, double share) {
        return cells.min + share * (cells.max - cells.min);
    };
    for (const double mu : {0.0, 0.3, 1.0})
        for (const double nu : {0.0, 0.5, 1.0})
            for (const double r : {0.0, 0.7, 1.0})
                stars.push_back(
                    star_at(model, at(area.mu, mu) + 360, at(area.nu, nu), at(area.r, r)));
    return stars;
}

TEST(StarChecks, TheWedgesOwnStarsAreInsideToItsEdges) {
    const StreamModel model = test::small_wedge();
    EXPECT_EQ(stars_outside(model, stars_of(model)), 0);
    EXPECT_TRUE(star_warnings(model, stars_of(model), "stars.txt").empty());
    EXPECT_NO_THROW(require_stars_inside(model, stars_of(model), "stars.txt"));
    EXPECT_EQ(stars_outside(model, {}), 0);
}

TEST(StarChecks, EveryLimitCountsBeyondTheRoundingOfFiles) {
    const StreamModel model = test::small_wedge();
    const io::Area& area = model.areas[0];
    const double mu = area.mu.min + 1, nu = 0, r = area.r.min + 1;
    for (const double beyond : {0.009, 0.011}) {
        const std::vector<Star> stars{star_at(model, area.mu.min - beyond, nu, r),
                                      star_at(model, area.mu.max + beyond, nu, r),
                                      star_at(model, mu, area.nu.min - beyond, r),
                                      star_at(model, mu, area.nu.max + beyond, r),
                                      star_at(model, mu, nu, area.r.min - beyond),
                                      star_at(model, mu, nu, area.r.max + beyond)};
        EXPECT_EQ(stars_outside(model, stars), beyond < 0.01 ? 0 : 6);
    }
}

TEST(StarChecks, StarsWithinCutsAreNotOutside) {
    StreamModel model = test::small_wedge();
    model.areas.push_back(model.areas[0]);
    EXPECT_EQ(stars_outside(model, stars_of(model)), 0);
}

TEST(StarChecks, OneStarOfAnotherWedgeIsRefusedByCountAndFile) {
    const StreamModel model = test::small_wedge();
    StreamModel other = model;
    other.wedge = 20;
    std::vector<Star> stars = stars_of(model);
    stars.push_back(stars_of(other)[4]);
    const auto warnings = star_warnings(model, stars, "stars.txt");
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find("1 of the 28 stars of 'stars.txt'"), std::string::npos);
    try {
        require_stars_inside(model, stars, "stars.txt");
        ADD_FAILURE() << "not refused";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::usage);
        const std::string line = error.what();
        EXPECT_NE(line.find("1 of the 28 stars of 'stars.txt'"), std::string::npos) << line;
        EXPECT_NE(line.find("--allow-stars-outside"), std::string::npos) << line;
    }
}

}  // namespace
}  // namespace tessera::likelihood
