#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <utility>

#include "core/error.hpp"
#include "likelihood/fit/fit_plan.hpp"
#include "likelihood/fit/stream_objective.hpp"
#include "likelihood/fit/stream_space.hpp"
#include "likelihood/model/random_stream.hpp"
#include "plain_evaluator.hpp"
#include "simulated_stars.hpp"
#include "small_wedge.hpp"

namespace tessera::likelihood {

namespace {

StreamModel two_streams() {
    StreamModel model = test::small_wedge();
    model.streams.push_back({-2, 10, 35, 1.0, -0.7, 8.0});
    return model;
}

StreamSpace space_of(const StreamModel& model, const io::FitSettings& settings = {}) {
    return {model, free_parameters(model, settings)};
}

Point random_point(std::size_t dimension, std::uint64_t seed) {
    RandomStream random{seed};
    Point point(dimension);
    for (double& x : point) x = random.uniform();
    return point;
}

std::vector<Star> stars_in_space(const StreamModel& model, std::int64_t number) {
    std::vector<Star> stars;
    for (const auto& one : simulate_stars(model, number, 2)) stars.push_back(one.star);
    return stars;
}

std::string message_of(const StreamModel& model, const io::FitSettings& settings) {
    try {
        free_parameters(model, settings);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST(StreamSpace, FreeParametersAreThoseOfTheModel) {
    StreamModel model = two_streams();
    EXPECT_EQ(free_parameters(model, {}).size(), 2u + 12u);
    model.background.profile = io::Profile::broken_power_law;
    EXPECT_EQ(free_parameters(model, {}).size(), 1u + 12u);
    model.background.profile = io::Profile::hernquist;
    model.model = io::Model::classic;
    const auto free = free_parameters(model, {});
    EXPECT_EQ(free.size(), 2u + 12u);
    EXPECT_EQ(free[0].name, "background.q");
    EXPECT_EQ(free[1].name, "background.r0");
    EXPECT_EQ(free[3].name, "stream1.mu");
    EXPECT_EQ(free[3].lower, 0);
    EXPECT_EQ(free[3].upper, 60);
    EXPECT_NEAR(free[4].lower, std::pow(10, 0.36), 1e-12);  // g = 16
    io::FitSettings settings;
    settings.free = {"stream2.sigma", "background.q"};
    settings.bounds = {{"stream2.sigma", 1, 2}};
    const auto chosen = free_parameters(model, settings);
    ASSERT_EQ(chosen.size(), 2u);
    EXPECT_EQ(chosen[1].name, "stream2.sigma");
    EXPECT_EQ(chosen[1].upper, 2);
}

TEST(StreamSpace, WhatCannotBeFittedIsRefused) {
    const StreamModel model = two_streams();
    io::FitSettings settings;
    settings.free = {"stream1.sigmo"};
    EXPECT_NE(message_of(model, settings).find("stream1.sigma"), std::string::npos);
    settings.free = {"background.r0"};
    EXPECT_NE(message_of(model, settings).find("no effect"), std::string::npos);
    settings.free = {"background.a"};
    EXPECT_NE(message_of(model, settings).find("fit.bounds"), std::string::npos);
    settings.free = {"stream1.sigma"};
    settings.bounds = {{"stream1.sigma", 0, 2}};
    EXPECT_NE(message_of(model, settings).find("lower bound"), std::string::npos);
    settings.free = {"background.q"};
    settings.bounds = {{"background.q", -1, 2}};
    EXPECT_NE(message_of(model, settings).find("background.q"), std::string::npos);
    settings.bounds = {{"stream3.mu", 1, 2}};
    EXPECT_NE(message_of(model, settings).find("stream3.mu"), std::string::npos);
}

TEST(StreamSpace, AWedgeBeyondTheUsualDistancesNeedsBounds) {
    for (const io::Cells& magnitudes : {io::Cells{4, 9, 10}, io::Cells{24, 26.5, 10}}) {
        StreamModel model = test::small_wedge();
        model.areas.front().r = magnitudes;
        const std::string message = message_of(model, {});
        EXPECT_NE(message.find("stream1.r (it has no default bounds)"), std::string::npos)
            << message;
        io::FitSettings settings;
        settings.bounds = {{"stream1.r", 1, 90}};
        EXPECT_EQ(message_of(model, settings), "no error");
    }
}

TEST(StreamSpace, RefusedBoundsAreToldAsBounds) {
    const StreamModel model = two_streams();
    io::FitSettings settings;
    settings.free = {"background.q"};
    settings.bounds = {{"background.q", -1, 2, "a.toml:7", "a.toml:7"}};
    EXPECT_EQ(
        message_of(model, settings),
        "cannot fit background.q (its lower bound is -1, 'a.toml:7'): choose a number greater "
        "than 0");
    settings.free = {"background.epsilon"};
    settings.bounds = {{"background.epsilon", 0, 2, "a.txt:4", "a.txt:5"}};
    EXPECT_NE(message_of(model, settings).find("(its upper bound is 2, 'a.txt:5')"),
              std::string::npos);
}

TEST(StreamSpace, BoundsOfAFixedParameterNeedAListOfFreeOnes) {
    const StreamModel model = two_streams();
    io::FitSettings settings;
    settings.bounds = {{"background.r0", 1, 40, "a.toml:7", "a.toml:7"}};
    EXPECT_NE(message_of(model, settings)
                  .find("bounds of background.r0 have no effect (it is not free, 'a.toml:7')"),
              std::string::npos);
    settings.free = {"background.q"};
    EXPECT_EQ(free_parameters(model, settings).size(), 1u);
}

TEST(StreamSpace, AStartBeyondItsBoundsIsRefused) {
    StreamModel model = two_streams();
    io::FitSettings settings;
    settings.start = "file";
    settings.bounds = {{"stream2.r", 10, 30}};  // it is 35
    const auto plan = [&] { return resolved_plan(settings, space_of(model, settings), 100, 1e-9); };
    try {
        plan();
        ADD_FAILURE() << "35 kpc were accepted";
    } catch (const Error& error) {
        EXPECT_EQ(
            std::string(error.what()),
            "cannot start from the stream2.r of the file (it is 35, outside its bounds 10 and 30): "
            "correct it, change its bounds, or use --start random");
    }
    settings.start = "random";
    EXPECT_NO_THROW(plan());
    settings.start = "file";
    settings.bounds = {};  // those by default end at the wedge's: the nearest point within is taken
    const double r = std::exchange(model.streams[1].r, 1e4);
    EXPECT_NO_THROW(plan());
    model.streams[1].r = r;
    settings.bounds = {{"stream2.r", 10, 35}};  // at a bound
    EXPECT_NO_THROW(plan());
    model.streams[1].theta = -1.25;  // an axis may point anywhere
    EXPECT_NO_THROW(plan());
    settings.bounds = {{"stream2.theta", -1, 2}};
    EXPECT_THROW(plan(), Error);
}

TEST(StreamSpace, ImagesAreTheSameModelNearer) {
    const StreamModel model = two_streams();
    const StreamSpace space = space_of(model);
    const auto stars = stars_in_space(model, 40);
    test::PlainEvaluator evaluator(model, stars);
    StreamObjective objective(space, evaluator);
    const auto distance = [](const Point& a, const Point& b) {
        double sum = 0;
        for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
        return sum;
    };
    int moved = 0;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        // Wide streams, so that the likelihood is finite anywhere.
        Point point = random_point(space.dimension(), seed);
        point[7] = 0.4, point[13] = 0.8;
        const Point reference = random_point(space.dimension(), seed + 100);
        const Point image = space.image_near(point, reference);
        const std::vector<Point> pair{point, image, space.folded(image)};
        const auto values = objective.values(pair);
        EXPECT_NEAR(values[0], values[1], 1e-10);
        EXPECT_NEAR(values[0], values[2], 1e-10);
        EXPECT_LE(distance(image, reference), distance(point, reference) + 1e-12);
        moved += image != point;
        const auto slopes = objective.slopes(std::vector<Point>{point, image});
        const Point carried = space.gradient_of_image(point, reference, slopes[0].gradient);
        for (std::size_t i = 0; i < carried.size(); ++i)
            EXPECT_NEAR(carried[i], slopes[1].gradient[i], 1e-9 * (1 + std::abs(carried[i])));
        for (const double x : space.folded(image)) EXPECT_TRUE(x >= 0 && x <= 1);
    }
    EXPECT_GT(moved, 8);
}

TEST(StreamSpace, TheModelsOwnPointGivesTheModelBack) {
    const StreamModel model = two_streams();
    const StreamSpace space = space_of(model);
    const auto back = parameter_values(space.model(space.point(model)));
    const auto numbers = parameter_values(model);
    for (std::size_t i = 0; i < back.size(); ++i) EXPECT_NEAR(back[i], numbers[i], 1e-12);
}

TEST(StreamSpace, StreamsOfOtherBoundsAreNotExchanged) {
    const StreamModel model = two_streams();
    io::FitSettings settings;
    settings.bounds = {{"stream2.r", 10, 40}};
    const StreamSpace space = space_of(model, settings);
    Point swapped = space.point(model);
    for (std::size_t i = 0; i < 6; ++i) std::swap(swapped[2 + i], swapped[8 + i]);
    EXPECT_EQ(space.folded(swapped)[2], swapped[2]);
    const StreamSpace alike = space_of(model);
    Point exchanged = alike.point(model);
    for (std::size_t i = 0; i < 6; ++i) std::swap(exchanged[2 + i], exchanged[8 + i]);
    EXPECT_EQ(alike.folded(exchanged), alike.point(model));
}

TEST(StreamObjective, SlopesAreTheDifferencesOfValues) {
    const StreamModel model = two_streams();
    const StreamSpace space = space_of(model);
    const auto stars = stars_in_space(model, 200);
    test::PlainEvaluator evaluator(model, stars);
    StreamObjective objective(space, evaluator);
    Point at = space.point(model);
    for (std::size_t i = 0; i < at.size(); ++i) at[i] += i % 2 ? 0.01 : -0.01;
    const std::vector<Point> one{at};
    const Slope slope = objective.slopes(one).front();
    for (std::size_t i = 0; i < at.size(); ++i) {
        std::vector<Point> pair{at, at};
        const double h = 1e-5;
        pair[0][i] += h, pair[1][i] -= h;
        const auto values = objective.values(pair);
        const double difference = (values[0] - values[1]) / (2 * h);
        EXPECT_NEAR(slope.gradient[i], difference, 1e-6 + 1e-5 * std::abs(difference))
            << space.free()[i].name;
    }
}

TEST(StreamObjective, AStreamWithinACutIsRejected) {
    StreamModel model = test::small_wedge();
    model.streams[0].sigma = 0.3;
    model.areas.push_back({{16, 22.5, 30}, {20, 40, 20}, {-1.25, 1.25, 2}});
    const StreamSpace space = space_of(model);
    const auto stars = stars_in_space(test::small_wedge(), 20);
    test::PlainEvaluator evaluator(model, stars);
    StreamObjective objective(space, evaluator);
    const std::vector<Point> one{space.point(model)};
    EXPECT_EQ(objective.values(one).front(), rejected);
    EXPECT_EQ(objective.cut_away(), 1);
}

}  // namespace tessera::likelihood
