#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
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

/// Stripes 82 and 79, the second with two streams.
std::vector<StreamModel> two_wedges() {
    std::vector<StreamModel> models{test::small_wedge(), test::small_wedge()};
    models[1].wedge = 79;
    models[1].streams.push_back({-2, 10, 35, 1.0, -0.7, 8.0});
    return models;
}

const std::vector<std::string> files{"a.toml", "b.toml"};

std::vector<FreeParameter> free_of(const std::vector<StreamModel>& models,
                                   const std::vector<io::FitSettings>& settings = {{}, {}}) {
    return joint_parameters(models, settings, files);
}

std::vector<std::string> names_of(const std::vector<FreeParameter>& free) {
    std::vector<std::string> names;
    for (const FreeParameter& one : free) names.push_back(one.name);
    return names;
}

std::string message_of(const std::vector<StreamModel>& models,
                       const std::vector<io::FitSettings>& settings = {{}, {}}) {
    try {
        free_of(models, settings);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

std::vector<Star> stars_of(const StreamModel& model, std::int64_t number) {
    std::vector<Star> stars;
    for (const auto& one : simulate_stars(model, number, 2)) stars.push_back(one.star);
    return stars;
}

/// Counts what a StreamObjective is asked.
class Counted : public Objective {
  public:
    explicit Counted(Objective& inner) : inner_(inner) {}
    std::vector<double> values(std::span<const Point> points) override {
        asked += points.size();
        return inner_.values(points);
    }
    std::vector<Slope> slopes(std::span<const Point> points) override {
        asked += points.size();
        return inner_.slopes(points);
    }
    std::size_t asked = 0;

  private:
    Objective& inner_;
};

/// Two wedges of 60 and 100 stars, with plain sums as their evaluators.
struct TwoWedges {
    std::vector<StreamModel> models = two_wedges();
    std::vector<std::vector<Star>> stars{stars_of(models[0], 60), stars_of(models[1], 100)};
    WedgeEvaluators evaluators{std::make_shared<test::PlainEvaluator>(models[0], stars[0]),
                               std::make_shared<test::PlainEvaluator>(models[1], stars[1])};
    StreamSpace space{models, free_of(models)};
    StreamObjective on_wedges{space, evaluators};
    Counted counted{on_wedges};
    JointObjective joint{counted, space, {60, 100}};
    Point at = space.point(models);

    /// The sum over all stars of log10 of their density, without the objective.
    double sum(const Point& point) const {
        double total = 0;
        for (std::size_t w = 0; w < 2; ++w) {
            StreamModel model = models[w];
            auto numbers = parameter_values(model);
            const auto names = parameter_names(model);
            for (std::size_t i = 0; i < space.dimension(); ++i) {
                const FreeParameter& free = space.free()[i];
                const auto name = name_in_wedge(free.name, w);
                if (!name) continue;
                const auto place = std::ranges::find(names, *name) - names.begin();
                numbers[static_cast<std::size_t>(place)] = free.lower + free.width() * point[i];
            }
            model = with_values(model, numbers);
            total += static_cast<double>(stars[w].size()) *
                     evaluators[w]->evaluate({&model, 1}, {}).at(0).search_likelihood;
        }
        return total;
    }
};

}  // namespace

TEST(JointParameters, TheBackgroundIsSharedAndStreamsAreNot) {
    const auto free = free_of(two_wedges());
    ASSERT_EQ(free.size(), 2u + 6u + 12u);
    EXPECT_EQ(names_of(free)[0], "background.epsilon");
    EXPECT_EQ(names_of(free)[2], "wedge1.stream1.epsilon");
    EXPECT_EQ(names_of(free)[8], "wedge2.stream1.epsilon");
    EXPECT_EQ(names_of(free)[19], "wedge2.stream2.sigma");
    EXPECT_TRUE(free[1].concerns(0) && free[1].concerns(1));
    EXPECT_TRUE(free[2].concerns(0) && !free[2].concerns(1));
    EXPECT_EQ(name_in_wedge("wedge12.stream1.mu", 11), "stream1.mu");
    EXPECT_EQ(name_in_wedge("wedge12.stream1.mu", 0), std::nullopt);
}

/// Stars of both wedges have proper motions. Those of the background belong to a wedge.
TEST(JointParameters, WhatIsObservedBelongsToAWedge) {
    std::vector<StreamModel> models = two_wedges();
    for (StreamModel& model : models) {
        model.observables = {{"pm", "pm", "pm_error"}};
        model.background.populations = {{0, {{0.5, 0, 0, 2}}}, {-1, {{-1, 0, 0, 4}}}};
        for (io::Stream& stream : model.streams) stream.observables = {{-2, 0.1, 0, 0.3}};
    }
    models[1].background.populations[0].observables[0].mean = 0.7;  // may differ
    io::FitSettings settings;
    settings.free = {"background.q", "background.population2.epsilon", "wedge2.stream1.pm.mean"};
    settings.bounds = {{"background.population2.epsilon", -5, 5}, {"stream1.pm.mean", -9, 9}};
    const auto free = free_of(models, {settings, settings});
    EXPECT_EQ(names_of(free),
              (std::vector<std::string>{"background.q", "wedge1.background.population2.epsilon",
                                        "wedge2.background.population2.epsilon",
                                        "wedge2.stream1.pm.mean"}));
    EXPECT_TRUE(free[1].concerns(0) && !free[1].concerns(1));
    EXPECT_TRUE(!free[2].concerns(0) && free[2].concerns(1));
    const auto fixed = joint_fixed_parameters(models, free);
    const auto value = [&](const std::string& name) {
        const auto found = std::ranges::find(fixed, name, &FixedParameter::name);
        return found == fixed.end() ? -999 : found->value;
    };
    EXPECT_EQ(value("wedge1.background.population1.pm.mean"), 0.5);
    EXPECT_EQ(value("wedge2.background.population1.pm.mean"), 0.7);
    StreamSpace space(models, free);
    Point at = space.point(models);
    at[2] = 0.9;
    EXPECT_NEAR(space.model(at, 0).background.populations[1].epsilon, -1, 1e-14);
    EXPECT_NEAR(space.model(at, 1).background.populations[1].epsilon, 4, 1e-14);
}

TEST(JointParameters, NamesWithoutAWedgeAreOfEveryWedge) {
    io::FitSettings settings;
    settings.free = {"background.q", "stream1.mu", "wedge2.stream2.r"};
    settings.profile = {"stream1.mu"};
    const auto models = two_wedges();
    const auto free = free_of(models, {settings, settings});
    EXPECT_EQ(names_of(free), (std::vector<std::string>{"background.q", "wedge1.stream1.mu",
                                                        "wedge2.stream1.mu", "wedge2.stream2.r"}));
    const StreamSpace space{models, free};
    EXPECT_EQ(error_plan(settings, space).profiles, (std::vector<std::size_t>{1, 2}));
    std::vector<std::string> fixed;
    for (const FixedParameter& one : space.fixed()) fixed.push_back(one.name);
    EXPECT_EQ(std::ranges::count(fixed, "background.epsilon"), 1);
    EXPECT_EQ(std::ranges::count_if(
                  fixed, [](const std::string& name) { return name.starts_with("wedge"); }),
              18 - 3);
    settings.free = {"wedge2.stream2.r"};
    EXPECT_EQ(names_of(free_of(models, {settings, settings})), settings.free);
    io::FitSettings own;  // of the second file alone
    own.free = {"stream2.r"};
    EXPECT_EQ(free_of(models, {io::FitSettings{}, own}).size(), 2u + 6u + 1u);
}

TEST(JointParameters, WedgesThatCannotHaveOneBackgroundAreRefused) {
    auto models = two_wedges();
    models[1].background.alpha = 1.5;
    EXPECT_EQ(message_of(models),
              "cannot fit 'a.toml' and 'b.toml' together (background.alpha is 1 and 1.5, and it is "
              "not fitted): give both files the same number, or fit it");
    models = two_wedges();
    models[1].background.q = 0.7;  // it is fitted
    EXPECT_EQ(message_of(models), "no error");
    models[1].model = io::Model::classic;
    EXPECT_NE(message_of(models).find("their models differ: 2018 and classic"), std::string::npos);
    models = two_wedges();
    io::FitSettings bounds;
    bounds.bounds = {{"background.q", 0.2, 1}};
    EXPECT_NE(message_of(models, {{}, bounds}).find("background.q are 0.1 to 2 and 0.2 to 1"),
              std::string::npos);
    EXPECT_EQ(message_of(models, {bounds, {}}), "no error") << "the first file decides";
    EXPECT_EQ(message_of(models, {bounds, bounds}), "no error");
}

TEST(JointParameters, UnknownWedgesAreRefused) {
    io::FitSettings settings;
    settings.fix = {"wedge3.stream1.mu"};
    EXPECT_EQ(message_of(two_wedges(), {settings, settings}),
              "cannot fit wedge3.stream1.mu (no wedge of the fit has such a parameter): did you "
              "mean 'wedge1.stream1.mu'?");
    settings.fix = {"wedge2.stream1.mu"};  // in one file
    EXPECT_NE(message_of(two_wedges(), {settings, {}}).find("names streams of its own wedge"),
              std::string::npos);
}

TEST(JointObjective, IsTheMeanOverTheStarsOfAllWedges) {
    TwoWedges wedges;
    Point there = wedges.at;
    for (std::size_t i = 0; i < there.size(); ++i) there[i] += i % 2 ? 0.01 : -0.01;
    const std::vector<Point> points{wedges.at, there};
    const auto values = wedges.joint.values(points);
    for (std::size_t p = 0; p < points.size(); ++p)
        EXPECT_NEAR(values[p], wedges.sum(points[p]) / 160, 1e-14 * std::abs(values[p]));
}

TEST(JointObjective, SlopesAreDifferencesOfTheSumOfBothWedges) {
    TwoWedges wedges;
    Point at = wedges.at;
    for (std::size_t i = 0; i < at.size(); ++i) at[i] += i % 2 ? 0.01 : -0.01;
    const std::vector<Point> one{at};
    const Slope slope = wedges.joint.slopes(one).front();
    for (std::size_t i = 0; i < at.size(); ++i) {
        const double h = 1e-5;
        Point above = at, below = at;
        above[i] += h, below[i] -= h;
        const double difference = (wedges.sum(above) - wedges.sum(below)) / (2 * h) / 160;
        EXPECT_NEAR(slope.gradient[i], difference, 1e-6 + 1e-5 * std::abs(difference))
            << wedges.space.free()[i].name;
    }
}

TEST(JointObjective, AsksEqualQuestionsOnce) {
    TwoWedges wedges;
    std::vector<Point> points(3, wedges.at);
    points[1][2] += 0.01;  // of the first wedge
    points[2][8] += 0.01;  // of the second
    const auto values = wedges.joint.values(points);
    EXPECT_EQ(wedges.counted.asked, 4u);
    for (std::size_t p = 0; p < points.size(); ++p)
        EXPECT_EQ(values[p], wedges.joint.values({&points[p], 1}).front());
}

TEST(JointObjective, OneWedgeIsAskedAsItIs) {
    TwoWedges wedges;
    const StreamSpace space{wedges.models[0], free_parameters(wedges.models[0], {})};
    StreamObjective objective{space, *wedges.evaluators[0]};
    JointObjective joint{objective, space, {60}};
    const std::vector<Point> one{space.point(wedges.models[0])};
    EXPECT_EQ(joint.values(one), objective.values(one));
    EXPECT_EQ(joint.slopes(one).front().gradient, objective.slopes(one).front().gradient);
}

TEST(JointObjective, RejectsWhatOneWedgeRejects) {
    TwoWedges wedges;
    std::vector<Point> points(2, wedges.at);
    // Stripe 79 has no stars with weights that overflow.
    points[1][8] = std::numeric_limits<double>::infinity();
    const auto values = wedges.joint.values(points);
    EXPECT_TRUE(std::isfinite(values[0]));
    EXPECT_EQ(values[1], rejected);
    EXPECT_EQ(wedges.joint.slopes(points)[1].gradient, Point(wedges.at.size(), 0.0));
}

TEST(JointSpace, OnlyStreamsOfAWedgeAreExchangedOrRedrawn) {
    const auto models = two_wedges();
    const StreamSpace space{models, free_of(models)};
    const Point at = space.point(models);
    Point exchanged = at;
    for (std::size_t i = 0; i < 6; ++i) std::swap(exchanged[8 + i], exchanged[14 + i]);
    EXPECT_EQ(space.folded(exchanged), at);
    exchanged = at;
    for (std::size_t i = 0; i < 6; ++i) std::swap(exchanged[2 + i], exchanged[14 + i]);
    EXPECT_EQ(space.folded(exchanged)[2], at[14]) << "streams of two wedges were exchanged";
    for (std::uint64_t turn = 0; turn < 20; ++turn) {
        RandomStream random{turn};
        const Point varied = space.varied(at, random);
        std::size_t first = at.size(), last = 0;
        for (std::size_t i = 0; i < at.size(); ++i)
            if (varied[i] != at[i]) first = std::min(first, i), last = i;
        EXPECT_GE(first, 2u);
        EXPECT_EQ((first - 2) / 6, (last - 2) / 6) << "parts of two streams were redrawn";
    }
}

}  // namespace tessera::likelihood
