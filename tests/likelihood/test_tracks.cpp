// Streams whose axis is a spline: the limit of a straight one, both integrations, the simulation
// and the parameters of a fit. test_compressed_gradient.cpp has their derivatives.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gradient_models.hpp"
#include "io/streams/stream_parameters.hpp"
#include "likelihood/fit/fit_result.hpp"
#include "likelihood/fit/stream_space.hpp"
#include "likelihood/model/thin_streams.hpp"
#include "likelihood/model/track.hpp"
#include "likelihood/model/wedge_evaluator.hpp"
#include "random_models.hpp"
#include "small_wedge.hpp"
#include "star_spread.hpp"
#include "support/test_device.hpp"

namespace tessera::likelihood {
namespace {

Evaluation with_memberships(const StreamModel& model, const std::vector<Star>& stars, bool exact,
                            EvaluatorOptions options = {}) {
    const auto make = exact ? make_exact_evaluator : make_compressed_evaluator;
    return make(model, stars, options, test_device().backend)
        ->evaluate({&model, 1}, {.gradient = !exact, .memberships = true})
        .at(0);
}

/// The straight stream of a model as a track through points of its axis.
StreamModel straightened(StreamModel model) {
    io::Stream& stream = model.streams[0];
    const StreamCylinder tube = cylinder(stream, model.wedge);
    stream.knots.clear();
    for (const double along : {-6.0, -1.0, 0.5, 8.0})
        stream.knots.push_back(tube.centre + along * tube.axis);
    return model;
}

StreamModel bent_model() {
    StreamModel model = test::small_wedge();
    test::set_track(model);
    model.convolve = 30;
    model.areas = {{{16, 22.5, 30}, {350, 400, 20}, {-1.25, 1.25, 2}}};
    return model;
}

TEST(Tracks, AStraightOneIsTheCylinder) {
    const StreamModel straight = test::small_wedge(), track = straightened(straight);
    const std::vector<Star> stars = test::RandomModels(3).stars(30);
    for (const bool exact : {true, false}) {
        SCOPED_TRACE(exact);
        const Evaluation one = with_memberships(straight, stars, exact);
        const Evaluation other = with_memberships(track, stars, exact);
        EXPECT_NEAR(other.stream_integrals[0] / one.stream_integrals[0], 1, 1e-11);
        EXPECT_NEAR(other.search_likelihood / one.search_likelihood, 1, 1e-11);
        EXPECT_NEAR(other.stream_only_likelihoods[0] / one.stream_only_likelihoods[0], 1, 1e-11);
        for (std::size_t i = 0; i < one.memberships.size(); ++i)
            EXPECT_NEAR(other.memberships[i], one.memberships[i], 1e-11);
        if (exact) continue;
        const std::size_t weight = background_numbers(track), sigma = weight + 5;
        for (const std::size_t i : {std::size_t{1}, weight, sigma})
            EXPECT_NEAR(other.gradient[i], one.gradient[i], 1e-10) << i;
    }
}

TEST(Tracks, EqualShiftsMoveAStraightOneAsAWhole) {
    StreamModel moved = straightened(test::small_wedge()), other = moved;
    io::Stream& stream = moved.streams[0];
    // The frames of a straight track differ a little between its knots: the line of sight turns.
    const auto frames = track_frames(stream);
    stream.first_across = stream.last_across = 0.7;
    const auto pieces = track_pieces(stream);
    const double* start = pieces[1].place.of[0];
    const Vec3 expected = stream.knots[0] + Vec3{sun_r0, 0, 0} + 0.7 * frames[0].across;
    EXPECT_NEAR(start[0], expected.x, 1e-12);
    EXPECT_NEAR(start[1], expected.y, 1e-12);
    EXPECT_NEAR(start[2], expected.z, 1e-12);
    const Vec3 chord = stream.knots[1] - stream.knots[0],
               sight = stream.knots[0] + Vec3{sun_r0, 0, 0};
    EXPECT_NEAR(dot(frames[0].across, chord), 0, 1e-12);
    EXPECT_NEAR(dot(frames[0].across, sight), 0, 1e-12);
    EXPECT_NEAR(dot(frames[0].away, chord), 0, 1e-12);
    EXPECT_GT(dot(frames[0].away, sight), 0);
}

TEST(Tracks, CompressedSumsAreThoseOfAllPointsWithinTheirEstimates) {
    for (const double sigma : {0.4, 1.4, 2.0}) {
        SCOPED_TRACE(sigma);
        StreamModel model = bent_model();
        model.streams[0].sigma = sigma;
        model.convolve = 60;
        model.areas.front().r.steps = 60;
        model.areas.front().mu.steps = 40;
        const std::vector<Star> stars = test::gradient_stars();
        const Evaluation found = with_memberships(model, stars, false);
        const Evaluation exact = with_memberships(model, stars, true);
        const auto relative = [](double value, double right) {
            return std::abs((value - right) / right);
        };
        EXPECT_LE(relative(found.stream_integrals[0], exact.stream_integrals[0]),
                  std::max(found.error_estimates.at(1), 1e-13));
        EXPECT_LE(found.error_estimates.at(1), 1e-10);
        EXPECT_LE(relative(found.search_likelihood, exact.search_likelihood), 1e-11);
        // The estimate of a mean over few stars may be too small by a factor of two.
        EXPECT_LE(relative(found.search_likelihood, exact.search_likelihood),
                  2 * found.error_estimates.back());
        EXPECT_TRUE(found.exact_components.empty());
    }
}

TEST(Tracks, SinglePrecisionKeepsSevenDigits) {
    const StreamModel model = bent_model();
    const double exact = with_memberships(model, test::gradient_stars(), true).stream_integrals[0];
    const double single = with_memberships(model, test::gradient_stars(), true,
                                           {.precision = kernels::Precision::single_compensated})
                              .stream_integrals[0];
    EXPECT_NEAR(single / exact, 1, 1e-7);
    EXPECT_NE(single, exact);
}

/// A bend whose radius is a few sigma, where the volume of the inner side is smaller.
TEST(Tracks, StarsAreSpreadAsTheIntegralsSay) {
    StreamModel model = bent_model();
    model.convolve = 30;
    io::Stream& stream = model.streams[0];
    stream.epsilon = 3;
    stream.sigma = 2.5;
    stream.knots = {{-9, 14, -33}, {-12, 12.5, -27}, {-16, 10, -24}, {-21, 6, -24}, {-27, 3, -27}};
    test::expect_stars_as_integrals(model, 20000,
                                    {.mu = 4, .depth = 4, .mu_steps = 6, .depth_steps = 6});
}

TEST(Tracks, ShiftsAreParametersOfAFit) {
    const StreamModel model = bent_model();
    const std::vector<std::string> names = parameter_names(model);
    const std::size_t first = background_numbers(model);
    EXPECT_EQ(names[first + 1], "stream1.first_across");
    EXPECT_EQ(names[first + 4], "stream1.last_away");
    EXPECT_EQ(parameter_values(model)[first + 3], model.streams[0].last_across);
    EXPECT_EQ(unit_of("stream1.first_away"), "kpc");
    const auto free = free_parameters(model, {});
    EXPECT_EQ(std::ranges::count(free, "stream1.mu", &FreeParameter::name), 0);
    const auto across = std::ranges::find(free, "stream1.first_across", &FreeParameter::name);
    ASSERT_NE(across, free.end());
    EXPECT_EQ(across->lower, -1);
    EXPECT_EQ(across->upper, 1);
    StreamSpace space(model, free);
    Point point = space.point(model);
    point[static_cast<std::size_t>(across - free.begin())] = 0.75;
    EXPECT_EQ(space.model(point).streams[0].first_across, 0.5);
    EXPECT_EQ(space.model(point).streams[0].knots.size(), model.streams[0].knots.size());
}

TEST(Tracks, TwoWithEqualBoundsAreNotExchanged) {
    StreamModel model = bent_model();
    model.streams.push_back(model.streams[0]);
    model.streams[1].first_across = -0.3;
    const StreamSpace space(model, free_parameters(model, {}));
    StreamModel other = model;
    std::swap(other.streams[0].first_across, other.streams[1].first_across);
    const Point a = space.point(model), b = space.point(other);
    EXPECT_EQ(space.image_near(b, a), b);
}

TEST(Tracks, AThinOneBetweenThePointsIsTold) {
    StreamModel model = bent_model();
    EXPECT_TRUE(thin_stream_warnings(model, "w.toml").empty());
    model.streams[0].sigma = 0.02;
    ASSERT_EQ(thin_stream_warnings(model, "w.toml").size(), 1u);
    // Two streams at the same place have the same points.
    const StreamModel straight = test::small_wedge();
    StreamModel track = straightened(straight);
    track.areas.front().mu = {20, 40, 20};  // its middle is where the straight one crosses
    StreamModel same = straight;
    same.areas = track.areas;
    const auto one = point_spacings(same, 0), two = point_spacings(track, 0);
    for (std::size_t i = 0; i < one.size(); ++i) {
        EXPECT_NEAR(two[i].kpc / one[i].kpc, 1, 0.1) << i;
        EXPECT_NEAR(two[i].stream / one[i].stream, 1, 0.1) << i;
    }
}

}  // namespace
}  // namespace tessera::likelihood
