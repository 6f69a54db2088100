// Triaxial and tilted halos: limits in which another formula gives the same density, both
// integrations, the simulation and the parameters of a fit. test_exact_brute_force.cpp and
// test_compressed_gradient.cpp compare the numbers with the formulas.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/error.hpp"
#include "halo_checks.hpp"
#include "likelihood/fit/joint_parameters.hpp"
#include "likelihood/fit/stream_space.hpp"
#include "likelihood/model/halo.hpp"
#include "random_models.hpp"
#include "small_wedge.hpp"
#include "star_spread.hpp"

namespace tessera::likelihood {
namespace {

using test::evaluated;

StreamModel tilted_model(io::Profile profile) {
    StreamModel model = test::small_wedge();
    model.model = io::Model::model2018;
    model.background = {};
    model.background.epsilon = 0.9;
    test::set_profile(model, profile);
    if (profile == io::Profile::broken_power_law) model.background.delta = 3.5;
    test::set_triaxial(model.background);
    return model;
}

void expect_same_likelihood(const StreamModel& a, const StreamModel& b, double tolerance) {
    const std::vector<Star> stars = test::RandomModels(3).stars(20);
    for (const bool exact : {true, false}) {
        const Evaluation one = evaluated(a, stars, exact), other = evaluated(b, stars, exact);
        EXPECT_NEAR(one.background_integral / other.background_integral, 1, tolerance) << exact;
        EXPECT_NEAR(one.search_likelihood / other.search_likelihood, 1, tolerance) << exact;
        if (exact) continue;
        for (std::size_t i = 0; i < 8; ++i)  // the numbers that both models have
            EXPECT_NEAR(one.gradient[i], other.gradient[i],
                        100 * tolerance * (1 + std::abs(other.gradient[i])))
                << i;
    }
}

TEST(TriaxialHalos, RoundAndUprightIsTheSpheroid) {
    for (const io::Profile profile : test::all_profiles()) {
        SCOPED_TRACE(io::name_of(profile));
        StreamModel triaxial = tilted_model(profile);
        io::Background& b = triaxial.background;
        b.p = 1;
        b.pitch = b.roll = 0;  // and a spheroid may be turned about its own axis
        StreamModel spheroid = triaxial;
        spheroid.background.triaxial = false;
        spheroid.background.yaw = 0;
        expect_same_likelihood(triaxial, spheroid, 1e-13);
    }
}

TEST(TriaxialHalos, AHalfTurnAboutAnAxisChangesNothing) {
    const StreamModel model = tilted_model(io::Profile::nfw);
    StreamModel turned = model;
    turned.background.roll += 180;
    expect_same_likelihood(turned, model, 1e-13);
    turned = model;  // about its shortest axis: the angles at which the other end is the first
    turned.background.yaw += 180;
    turned.background.pitch *= -1;
    turned.background.roll *= -1;
    const Matrix3 axes = halo_axes(model.background), others = halo_axes(turned.background);
    for (int i = 0; i < 3; ++i) {
        const auto row = static_cast<std::size_t>(i);
        const double sign = i < 2 ? -1 : 1;
        for (std::size_t k = 0; k < 3; ++k)
            EXPECT_NEAR(others[row][k], sign * axes[row][k], 1e-15) << i;
    }
    const std::vector<Star> stars = test::RandomModels(3).stars(20);
    EXPECT_NEAR(evaluated(turned, stars, true).search_likelihood,
                evaluated(model, stars, true).search_likelihood, 1e-13);
}

TEST(TriaxialHalos, ThePitchRaisesTheEndOnTheSideOfTheSun) {
    io::Background b;
    b.pitch = 30;
    const auto longest = halo_axes(b)[0];
    EXPECT_NEAR(longest[0], std::cos(std::numbers::pi / 6), 1e-15);
    EXPECT_NEAR(longest[2], -0.5, 1e-15);
    b.pitch = 0;
    b.yaw = 90;
    EXPECT_NEAR(halo_axes(b)[0][1], 1, 1e-15);  // towards l = 90 degrees, as the disk turns
    b.yaw = 0;
    b.roll = 90;
    EXPECT_NEAR(halo_axes(b)[1][2], 1, 1e-15);  // the second axis to the north
}

TEST(TriaxialHalos, CompressedSumsAreThoseOfAllPointsWithinTheirEstimates) {
    test::RandomModels random(41);
    for (const io::Profile profile : test::all_profiles()) {
        StreamModel model = random.model(1);
        model.convolve = 10;
        if (profile == io::Profile::broken_power_law) model.model = io::Model::model2018;
        test::set_profile(model, profile);
        model.background.triaxial = true;
        model.background.p = random.between(0.4, 1.6);
        for (double io::Background::*angle :
             {&io::Background::yaw, &io::Background::pitch, &io::Background::roll})
            model.background.*angle = random.between(-90, 90);
        test::expect_within_estimates(model, random.stars(20));
    }
}

TEST(TriaxialHalos, SinglePrecisionKeepsEightDigits) {
    for (const io::Profile profile : test::all_profiles()) {
        SCOPED_TRACE(io::name_of(profile));
        test::expect_eight_digits(tilted_model(profile));
    }
}

TEST(TriaxialHalos, StarsAreSpreadAsTheIntegralsSay) {
    for (const io::Profile profile :
         {io::Profile::hernquist, io::Profile::broken_power_law, io::Profile::einasto}) {
        SCOPED_TRACE(io::name_of(profile));
        StreamModel model = tilted_model(profile);
        model.streams.clear();
        model.background.p = 0.5;
        model.areas = {{{16, 22.5, 30}, {310, 420, 24}, {-1.25, 1.25, 8}}};
        test::expect_stars_as_integrals(model, 40000);
    }
}

TEST(TriaxialHalos, TheRatioOfTheAxesIsFreeAndAnglesAreOnRequest) {
    StreamModel model = tilted_model(io::Profile::einasto);
    const auto is_free = [&](const io::FitSettings& settings, const std::string& name) {
        const auto free = free_parameters(model, settings);
        return std::ranges::find(free, name, &FreeParameter::name) != free.end();
    };
    EXPECT_TRUE(is_free({}, "background.p"));
    EXPECT_FALSE(is_free({}, "background.pitch"));
    io::FitSettings settings;
    settings.free = {"background.q", "background.pitch", "stream1.mu"};
    const auto free = free_parameters(model, settings);
    ASSERT_EQ(free.size(), 3u);
    EXPECT_EQ(free[1].name, "background.pitch");
    EXPECT_EQ(free[1].lower, -90);
    EXPECT_EQ(free[1].upper, 90);
    // The space finds the places of the streams behind those of the background.
    StreamSpace space(model, free);
    Point point = space.point(model);
    point[1] = 0.75;
    point[2] = 0.25;
    const StreamModel moved = space.model(point);
    EXPECT_EQ(moved.background.pitch, 45);
    EXPECT_EQ(moved.background.p, model.background.p);
    EXPECT_NE(moved.streams[0].mu, model.streams[0].mu);
    EXPECT_EQ(moved.streams[0].epsilon, model.streams[0].epsilon);
    model.background.triaxial = false;
    EXPECT_THROW(free_parameters(model, settings), Error);
}

TEST(TriaxialHalos, WedgesOfOneFitHaveTheSameKindOfHalo) {
    const StreamModel triaxial = tilted_model(io::Profile::nfw);
    StreamModel spheroid = triaxial;
    spheroid.background.triaxial = false;
    const std::vector<io::FitSettings> settings(2);
    const std::vector<std::string> files{"a.toml", "b.toml"};
    const auto free_of = [&](const std::vector<StreamModel>& models) {
        return joint_parameters(models, settings, files);
    };
    const auto free = free_of({triaxial, triaxial});
    EXPECT_EQ(std::ranges::count(free, "background.p", &FreeParameter::name), 1);
    EXPECT_TRUE(std::ranges::find(free, "background.p", &FreeParameter::name)->shared());
    EXPECT_FALSE(free.back().shared());
    EXPECT_THROW(free_of({triaxial, spheroid}), Error);
    StreamModel other = triaxial;
    other.background.pitch += 1;  // is not fitted
    EXPECT_THROW(free_of({triaxial, other}), Error);
}

}  // namespace
}  // namespace tessera::likelihood
