// Exponential disks beside the halo: the fixed disk of the 2018 model as a special case, both
// integrations, the plane of the Galaxy, the simulation and the parameters of a fit.
// test_exact_brute_force.cpp and test_compressed_gradient.cpp compare them with the formulas.
#include "likelihood/model/disks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "halo_checks.hpp"
#include "likelihood/fit/fit_result.hpp"
#include "likelihood/fit/joint_parameters.hpp"
#include "likelihood/fit/stream_space.hpp"
#include "random_models.hpp"
#include "small_wedge.hpp"
#include "star_spread.hpp"

namespace tessera::likelihood {
namespace {

using test::evaluated;

StreamModel disk_model(io::Profile profile = io::Profile::hernquist) {
    StreamModel model = test::small_wedge();
    test::set_profile(model, profile);
    test::set_disks(model.background);
    return model;
}

/// The 2018 model is epsilon H + (1 - epsilon) exp(-R / 3.5 kpc - |Z| / 0.7 kpc).
TEST(Disks, OneWithTheScalesOf2018IsThatOf2018) {
    StreamModel fixed = test::small_wedge();
    fixed.background.epsilon = 0.998;
    StreamModel own = fixed;
    io::Background& b = own.background;
    b.epsilon = 1;
    b.thick_disk = true;
    b.thick_length = 1 / 0.285714286;
    b.thick_height = 1 / 1.428571429;
    b.thick = 0.002 / 0.998 * std::exp(-0.285714286 * 8.5) * 8.5 * std::pow(8.5 + 12, 3);
    const std::vector<Star> stars = test::RandomModels(3).stars(40);
    for (const bool exact : {true, false}) {
        const Evaluation one = evaluated(own, stars, exact), other = evaluated(fixed, stars, exact);
        EXPECT_NEAR(one.background_integral * 0.998 / other.background_integral, 1, 1e-12);
        EXPECT_NEAR(one.search_likelihood / other.search_likelihood, 1, 1e-12);
        if (exact) continue;
        EXPECT_NEAR(one.gradient[1], other.gradient[1], 1e-11);  // q
        // epsilon changes the share by d share / d epsilon = -share / (epsilon (1 - epsilon)).
        const double by_epsilon = -one.gradient[8] * b.thick / (0.998 * 0.002);
        EXPECT_NEAR(by_epsilon / other.gradient[0], 1, 1e-9);
    }
}

TEST(Disks, WithoutStarsAreNotThere) {
    StreamModel with = disk_model(io::Profile::einasto), without = with;
    with.background.thin = with.background.thick = 0;
    without.background.thin_disk = without.background.thick_disk = false;
    const std::vector<Star> stars = test::RandomModels(3).stars(40);
    for (const bool exact : {true, false})
        EXPECT_NEAR(evaluated(with, stars, exact).search_likelihood /
                        evaluated(without, stars, exact).search_likelihood,
                    1, 1e-13);
}

TEST(Disks, AtTheSunTheyHaveTheirSharesOfTheHalo) {
    StreamModel model = disk_model(io::Profile::nfw);
    test::set_triaxial(model.background);
    const double halo = static_cast<double>(test::own_density(
        model.background, test::elliptical_radius(model.background, -8.5L, 0, 0)));
    EXPECT_NEAR(halo_at_sun(model) / halo, 1, 1e-14);
    EXPECT_NEAR(disk_density(disks_of(model), {-8.5, 0, 0}) / halo, 150 + 18, 1e-11);
}

TEST(Disks, CompressedSumsAreThoseOfAllPointsWithinTheirEstimates) {
    test::RandomModels random(53);
    for (int i = 0; i < 6; ++i) {
        StreamModel model = random.model(0);
        model.convolve = 10;
        io::Background& b = model.background;
        test::set_profile(model,
                          i % 2 == 0 ? io::Profile::hernquist : test::own_profiles()[i / 2 % 3U]);
        if (i % 5 == 4) test::set_triaxial(b);
        test::set_disks(b, i % 3 != 1, i % 3 != 2);
        b.thin = random.between(0, 400);
        b.thin_length = random.between(0.5, 6);
        b.thin_height = random.between(0.1, 0.6);
        b.thick = random.between(0, 60);
        b.thick_length = random.between(1, 8);
        b.thick_height = random.between(0.3, 3);
        test::expect_within_estimates(model, random.stars(20));
    }
}

/// Stripe 10 crosses the plane at mu = 108 and near 290 degrees. |Z| has a kink there.
TEST(Disks, WedgesMayCrossThePlane) {
    StreamModel model = disk_model();
    model.streams.clear();
    model.convolve = 10;
    model.wedge = 10;
    model.areas = {{{14, 21, 14}, {80, 140, 60}, {-1.25, 1.25, 24}}};
    std::vector<Star> stars = test::RandomModels(7).stars(20);
    for (std::size_t i = 0; i < stars.size(); i += 2) stars[i].b /= 100;
    double least = 90, most = -90;
    for (const double mu : {80.0, 140.0}) {
        least = std::min(least, direction(10, mu, 0).b);
        most = std::max(most, direction(10, mu, 0).b);
    }
    ASSERT_TRUE(least < 0 && most > 0);
    test::expect_within_estimates(model, stars);
}

TEST(Disks, SinglePrecisionKeepsEightDigits) {
    StreamModel model = disk_model();
    model.areas[0].r.min = 14.5;  // within the thin disk
    for (const double length : {0.7, 2.6, 3.6}) {
        model.background.thin_length = length;
        SCOPED_TRACE(length);
        test::expect_eight_digits(model);
    }
}

TEST(Disks, StarsAreSpreadAsTheIntegralsSay) {
    for (const io::Profile profile : {io::Profile::hernquist, io::Profile::einasto}) {
        StreamModel model = disk_model(profile);
        model.streams.clear();
        model.areas = {{{15, 21, 30}, {310, 420, 24}, {-1.25, 1.25, 8}}};
        test::expect_stars_as_integrals(model, 20000);
    }
}

TEST(Disks, TheirNumbersAreFreeAndTheShareOfTheHaloIsNot) {
    StreamModel model = disk_model();
    model.background.thick_disk = false;
    const auto free = free_parameters(model, {});
    std::vector<std::string> names;
    for (const FreeParameter& one : free)
        if (one.name.starts_with("background.")) names.push_back(one.name);
    EXPECT_EQ(names,
              (std::vector<std::string>{"background.q", "background.thin", "background.thin_length",
                                        "background.thin_height"}));
    io::FitSettings settings;
    for (const char* other : {"background.epsilon", "background.thick"}) {
        settings.free = {other};
        EXPECT_THROW(free_parameters(model, settings), Error) << other;
    }
    EXPECT_EQ(unit_of("background.thin_height"), "kpc");
    EXPECT_EQ(unit_of("background.thin"), "");
    // The numbers of the streams come behind them.
    StreamSpace space(model, free);
    Point point = space.point(model);
    point[3] = 0.5;  // 0.1 to 1 kpc
    const StreamModel moved = space.model(point);
    EXPECT_NEAR(moved.background.thin_height, 0.55, 1e-15);
    EXPECT_NEAR(moved.streams[0].epsilon, model.streams[0].epsilon, 1e-14);
}

TEST(Disks, WedgesOfOneFitHaveTheSameDisks) {
    const StreamModel both = disk_model();
    StreamModel thin = both;
    thin.background.thick_disk = false;
    const std::vector<io::FitSettings> settings(2);
    const std::vector<std::string> files{"a.toml", "b.toml"};
    const auto free = joint_parameters(std::vector{both, both}, settings, files);
    EXPECT_EQ(std::ranges::count(free, "background.thick_height", &FreeParameter::name), 1);
    EXPECT_TRUE(std::ranges::find(free, "background.thin", &FreeParameter::name)->shared());
    EXPECT_THROW(joint_parameters(std::vector{both, thin}, settings, files), Error);
}

}  // namespace
}  // namespace tessera::likelihood
