// Parameters that streams of several wedges share.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>

#include "core/error.hpp"
#include "likelihood/fit/fit_plan.hpp"
#include "likelihood/fit/joint_objective.hpp"
#include "likelihood/fit/joint_parameters.hpp"
#include "likelihood/fit/stream_objective.hpp"
#include "likelihood/model/random_stream.hpp"
#include "plain_evaluator.hpp"
#include "simulated_stars.hpp"
#include "small_wedge.hpp"

namespace tessera::likelihood {

namespace {

const std::vector<std::string> files{"a.toml", "b.toml", "c.toml"};

/// Stripes 82 and 79. The second stream of the second one is the stream of the first.
std::vector<StreamModel> two_wedges() {
    std::vector<StreamModel> models{test::small_wedge(), test::small_wedge()};
    models[1].wedge = 79;
    models[1].streams.push_back(models[0].streams[0]);
    models[1].streams[0] = {-2, 10, 35, 1.0, -0.7, 8.0};
    return models;
}

io::FitSettings naming(const std::string& name, int stream,
                       const std::vector<std::string>& fields) {
    io::FitSettings settings;
    for (const std::string& field : fields)
        settings.shared.push_back(
            {"stream" + std::to_string(stream) + "." + field, name + "." + field, "f.toml:9"});
    return settings;
}

/// Width and direction are shared.
std::vector<io::FitSettings> one_stream() {
    return {naming("sgr", 1, {"sigma", "theta", "phi"}),
            naming("sgr", 2, {"theta", "phi", "sigma"})};
}

std::vector<FreeParameter> free_of(const std::vector<io::FitSettings>& settings,
                                   const std::vector<StreamModel>& models = two_wedges()) {
    return joint_parameters(models, settings, files);
}

std::vector<std::string> names_of(const std::vector<FreeParameter>& free) {
    std::vector<std::string> names;
    for (const FreeParameter& one : free) names.push_back(one.name);
    return names;
}

std::size_t place_of(const std::string& name, const StreamSpace& space) {
    const auto names = names_of(space.free());
    const auto found = std::ranges::find(names, name);
    EXPECT_NE(found, names.end()) << name;
    return static_cast<std::size_t>(found - names.begin());
}

std::string message_of(const std::vector<io::FitSettings>& settings,
                       const std::vector<StreamModel>& models = two_wedges()) {
    try {
        free_of(settings, models);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

std::vector<Star> stars_with_seed_2(const StreamModel& model, std::int64_t number) {
    std::vector<Star> stars;
    for (const auto& one : simulate_stars(model, number, 2)) stars.push_back(one.star);
    return stars;
}

/// Two wedges of 60 and 100 stars, with plain sums as their evaluators.
struct SharedWedges {
    std::vector<StreamModel> models = two_wedges();
    std::vector<std::vector<Star>> stars{stars_with_seed_2(models[0], 60),
                                         stars_with_seed_2(models[1], 100)};
    WedgeEvaluators evaluators{std::make_shared<test::PlainEvaluator>(models[0], stars[0]),
                               std::make_shared<test::PlainEvaluator>(models[1], stars[1])};
    StreamSpace space{models, free_of(one_stream())};
    StreamObjective on_wedges{space, evaluators};
    JointObjective joint{on_wedges, space, {60, 100}};
    Point at = space.point(models);

    /// The mean of log10 over all stars of two models.
    double mean(const std::vector<StreamModel>& of) const {
        double total = 0;
        for (std::size_t w = 0; w < 2; ++w)
            total += static_cast<double>(stars[w].size()) *
                     evaluators[w]->evaluate({&of[w], 1}, {}).at(0).search_likelihood;
        return total / 160;
    }
};

}  // namespace

TEST(SharedStreams, AreOneParameterOfSeveralWedges) {
    const auto free = free_of(one_stream());
    EXPECT_EQ(names_of(free),
              (std::vector<std::string>{
                  "background.epsilon", "background.q", "wedge1.stream1.epsilon",
                  "wedge1.stream1.mu", "wedge1.stream1.r", "sgr.theta", "sgr.phi", "sgr.sigma",
                  "wedge2.stream1.epsilon", "wedge2.stream1.mu", "wedge2.stream1.r",
                  "wedge2.stream1.theta", "wedge2.stream1.phi", "wedge2.stream1.sigma",
                  "wedge2.stream2.epsilon", "wedge2.stream2.mu", "wedge2.stream2.r"}));
    EXPECT_EQ(name_in_wedge(free[7], 0), "stream1.sigma");
    EXPECT_EQ(name_in_wedge(free[7], 1), "stream2.sigma");
    EXPECT_EQ(name_in_wedge(free[3], 1), std::nullopt);
    EXPECT_EQ(*free[7].index_in(1) - *free[7].index_in(0), 6u);
    for (const char* name : {"sgr.sigma", "stream2.sigma", "wedge1.stream1.sigma", "all"})
        EXPECT_TRUE(is_called(free[7], name)) << name;
    EXPECT_FALSE(is_called(free[7], "wedge1.stream2.sigma"));
}

TEST(SharedStreams, AModelOfAWedgeHasTheirValues) {
    const SharedWedges wedges;
    Point point = wedges.at;
    point[place_of("sgr.sigma", wedges.space)] = 0.5;
    const double sigma = 0.1 + 0.5 * 29.9;
    EXPECT_NEAR(wedges.space.model(point, 0).streams[0].sigma, sigma, 1e-12);
    EXPECT_NEAR(wedges.space.model(point, 1).streams[1].sigma, sigma, 1e-12);
    EXPECT_NEAR(wedges.space.model(point, 1).streams[0].sigma, 8, 1e-12) << "another stream";
}

TEST(SharedStreams, TheValueIsTheSumOfTheWedges) {
    SharedWedges wedges;
    Point point = wedges.at;
    auto models = wedges.models;
    const auto& free = wedges.space.free();
    const std::size_t sigma = place_of("sgr.sigma", wedges.space),
                      theta = place_of("sgr.theta", wedges.space);
    models[0].streams[0].sigma = models[1].streams[1].sigma = 4.5;
    models[0].streams[0].theta = models[1].streams[1].theta = 1.7;
    point[sigma] = (4.5 - free[sigma].lower) / free[sigma].width();
    point[theta] = 1.7 / std::numbers::pi;
    EXPECT_NEAR(wedges.joint.values({&point, 1}).front(), wedges.mean(models), 1e-12);
}

TEST(SharedStreams, SlopesAreDifferencesOfTheSumOfTheWedges) {
    SharedWedges wedges;
    const Slope slope = wedges.joint.slopes({&wedges.at, 1}).front();
    const auto check = [&](const std::string& name, double io::Stream::*field) {
        const std::size_t i = place_of(name, wedges.space);
        const double h = 1e-4;
        auto above = wedges.models, below = wedges.models;
        above[0].streams[0].*field += h, above[1].streams[1].*field += h;
        below[0].streams[0].*field -= h, below[1].streams[1].*field -= h;
        const double difference = (wedges.mean(above) - wedges.mean(below)) / (2 * h);
        EXPECT_NEAR(slope.gradient[i], difference * wedges.space.free()[i].width(),
                    1e-5 * std::abs(slope.gradient[i]) + 1e-7)
            << name;
    };
    check("sgr.sigma", &io::Stream::sigma);
    check("sgr.theta", &io::Stream::theta);
    check("sgr.phi", &io::Stream::phi);
}

TEST(SharedStreams, TheirAxisTurnsInAllWedgesTogether) {
    const SharedWedges wedges;
    const std::size_t theta = place_of("sgr.theta", wedges.space),
                      phi = place_of("sgr.phi", wedges.space);
    ASSERT_TRUE(wedges.space.goes_round(theta) && wedges.space.goes_round(phi));
    Point other = wedges.at;
    other[theta] = 1 - other[theta];
    other[phi] += 0.5;
    const Point image = wedges.space.image_near(other, wedges.at);
    for (std::size_t i = 0; i < image.size(); ++i) EXPECT_NEAR(image[i], wedges.at[i], 1e-15);
    Point gradient(image.size(), 0.0);
    gradient[theta] = 2, gradient[phi] = 3;
    const Point turned = wedges.space.gradient_of_image(other, wedges.at, gradient);
    EXPECT_EQ(turned[theta], -2) << "once for both wedges";
    EXPECT_EQ(turned[phi], 3);
}

TEST(SharedStreams, VariationsKeepThem) {
    const SharedWedges wedges;
    const std::size_t sigma = place_of("sgr.sigma", wedges.space);
    bool moved = false;
    for (std::uint64_t turn = 0; turn < 30; ++turn) {
        RandomStream random{turn};
        const Point varied = wedges.space.varied(wedges.at, random);
        EXPECT_EQ(varied[sigma], wedges.at[sigma]);
        moved = moved || varied[3] != wedges.at[3];
    }
    EXPECT_TRUE(moved) << "its own numbers are redrawn";
}

TEST(SharedStreams, StreamsThatShareAreNotExchanged) {
    const auto models = two_wedges();
    const StreamSpace space{models,
                            free_of({naming("sgr", 1, {"sigma"}), naming("sgr", 2, {"sigma"})})};
    Point exchanged = space.point(models);
    for (const char* field : {"epsilon", "mu", "r"})
        std::swap(exchanged[place_of(std::string("wedge2.stream1.") + field, space)],
                  exchanged[place_of(std::string("wedge2.stream2.") + field, space)]);
    EXPECT_EQ(space.folded(exchanged), exchanged);
}

TEST(SharedStreams, AllWedgesWithTheStreamShareWhatTheOptionNames) {
    io::FitSettings settings;
    io::share_everywhere({"stream2.sigma"}, settings.shared);
    EXPECT_NE(message_of({settings, settings}).find("fewer than two wedges"), std::string::npos);
    settings.shared.clear();
    io::share_everywhere({"stream1.sigma", "stream1.epsilon"}, settings.shared);
    const auto free = free_of({settings, settings});
    EXPECT_EQ(std::ranges::count(names_of(free), "stream1.sigma"), 1);
    EXPECT_EQ(std::ranges::count(names_of(free), "stream1.epsilon"), 1);
    EXPECT_EQ(free.size(), 2u + 18u - 2u);
}

TEST(SharedStreams, AreNamedAsOne) {
    auto settings = one_stream();
    for (io::FitSettings& one : settings) one.free = {"sgr.sigma", "wedge2.stream1.mu"};
    auto models = two_wedges();
    EXPECT_EQ(names_of(free_of(settings)),
              (std::vector<std::string>{"sgr.sigma", "wedge2.stream1.mu"}));
    for (io::FitSettings& one : settings) one.free = {"wedge2.stream2.sigma"};
    EXPECT_NE(message_of(settings).find("several wedges share it): call it sgr.sigma"),
              std::string::npos);
}

TEST(SharedStreams, WhatCannotBeSharedIsRefused) {
    EXPECT_EQ(message_of(one_stream()), "no error");
    EXPECT_NE(message_of({naming("sgr", 1, {"sigma"}), naming("srg", 2, {"sigma"})})
                  .find("no other wedge of the fit shares it"),
              std::string::npos);
    EXPECT_NE(message_of({naming("sgr", 2, {"sigma"}), naming("sgr", 2, {"sigma"})})
                  .find("'f.toml:9' (the model has no stream2.sigma)"),
              std::string::npos);
    auto settings = one_stream();
    settings[1].bounds = {{"stream2.sigma", 0.5, 10}};
    EXPECT_NE(message_of(settings).find("its bounds are 0.1 to 30 and 0.5 to 10"),
              std::string::npos);
    settings[0].bounds = {{"stream1.sigma", 0.5, 10}};
    EXPECT_EQ(message_of(settings), "no error");
    settings[1].bounds.clear();
    EXPECT_EQ(message_of(settings), "no error") << "the first wedge decides";
    settings[1].fix = {"stream2.sigma"};
    EXPECT_NE(message_of(settings).find("it is fitted in the first of them only"),
              std::string::npos);
    settings[0].fix = {"stream1.sigma"};
    settings[0].bounds.clear();
    EXPECT_EQ(message_of(settings), "no error");
    auto models = two_wedges();
    models[1].streams[1].sigma = 7;
    EXPECT_NE(message_of(settings, models).find("it is 3 and 7, and it is not fitted"),
              std::string::npos)
        << message_of(settings, models);
}

}  // namespace tessera::likelihood
