// Fits with other numbers of streams than the files have.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.hpp"
#include "likelihood/fit/joint_objective.hpp"
#include "likelihood/fit/number_fit.hpp"
#include "simulated_stars.hpp"
#include "small_wedge.hpp"
#include "support/test_device.hpp"

namespace tessera::likelihood {

namespace {

/// Two wedges with files of two streams each.
struct TwoWedges {
    LikelihoodInput input;
    std::vector<WedgeInput> wedges;
    io::FitSettings settings;
    FitProblem whole;

    TwoWedges() {
        input.parameters = {"a.toml", "b.toml"};
        input.stars = {"a.txt", "b.txt"};
        for (const int stripe : {82, 79}) {
            WedgeInput wedge;
            wedge.model = test::small_wedge();
            wedge.model.wedge = stripe;
            wedge.model.streams.push_back({-2, 10, 35, 1.0, -0.7, 8.0});
            for (const auto& one : simulate_stars(wedge.model, 40 + stripe, 3))
                wedge.stars.push_back(one.star);
            wedges.push_back(std::move(wedge));
        }
        settings.fewest_streams = 1, settings.most_streams = 2;
    }
    io::FitSettings settings_of(const io::TextSource&) const { return settings; }
    StreamNumbers numbers() {
        const auto of = [this](const io::TextSource& text) { return settings_of(text); };
        whole = make_fit_problem(input, wedges, of);
        return {input, whole, of};
    }
};

/// With one stream a low and broad hill beside a high and narrow one, and with two streams one hill
/// that has the places of both.
class TwoHills : public Objective {
  public:
    static constexpr double low = 0.3, high = 0.9;  // places of the hills in the cube

    std::vector<double> values(std::span<const Point> points) override {
        std::vector<double> found;
        for (const Slope& slope : slopes(points)) found.push_back(slope.value);
        return found;
    }
    std::vector<Slope> slopes(std::span<const Point> points) override {
        std::vector<Slope> found;
        for (const Point& point : points) {
            Slope& slope = found.emplace_back(Slope{0, Point(point.size(), 0.0)});
            // After the coordinates: the numbers of two wedges, and the part of the stars.
            if (point.size() == 2 + 3) {
                slope.value = 2.01;
                for (const int i : {0, 1}) {
                    const double off = point[i] - (i == 0 ? low : high);
                    slope.value -= off * off;
                    slope.gradient[i] = -2 * off;
                }
                continue;
            }
            add_hill(low, 0.2, 1, point[0], slope);
            add_hill(high, 0.01, 2, point[0], slope);
        }
        return found;
    }

  private:
    static void add_hill(double place, double width, double height, double x, Slope& slope) {
        const double off = (x - place) / width, value = height * std::exp(-off * off / 2);
        slope.value += value;
        slope.gradient[0] -= value * off / width;
    }
};

class NoRefits : public Refitter {
  public:
    std::vector<Refit> refits(std::span<const Point>) override { return {}; }
};

std::vector<std::string> names_of(const FitProblem& problem) {
    std::vector<std::string> names;
    for (const FreeParameter& one : problem.space->free()) names.push_back(one.name);
    return names;
}

}  // namespace

TEST(StreamNumbers, AProblemHasTheFirstStreamsOfTheFiles) {
    TwoWedges wedges;
    const StreamNumbers numbers = wedges.numbers();
    const FitProblem both = numbers.problem({2, 1});
    EXPECT_EQ(both.space->dimension(), 2u + 12u + 6u);
    EXPECT_EQ(both.wedges[1].model.streams.size(), 1u);
    EXPECT_EQ(numbers.alone(1, 1), (Numbers{left_out, 1}));
    const FitProblem one = numbers.problem(numbers.alone(1, 1));
    EXPECT_EQ(one.wedges.front().model.wedge, 79);
    EXPECT_EQ(names_of(one).back(), "stream1.sigma");
    EXPECT_EQ(one.number_of_stars(), 119u);
}

TEST(StreamNumbers, NamesOfMissingStreamsAreLeftOut) {
    TwoWedges wedges;
    wedges.settings.free = {"background.q", "stream1.mu", "wedge1.stream2.mu", "wedge2.stream2.r"};
    wedges.settings.profile = {"wedge1.stream2.mu"};
    const StreamNumbers numbers = wedges.numbers();
    using Names = std::vector<std::string>;
    EXPECT_EQ(names_of(numbers.problem({1, 2})), (Names{"background.q", "wedge1.stream1.mu",
                                                        "wedge2.stream1.mu", "wedge2.stream2.r"}));
    EXPECT_EQ(names_of(numbers.problem({2, left_out})),
              (Names{"background.q", "stream1.mu", "stream2.mu"}));
    EXPECT_EQ(names_of(numbers.problem({left_out, 1})), (Names{"background.q", "stream1.mu"}));
    wedges.settings.free = {"wedge1.stream1.mu", "wedge2.stream2.r"};
    wedges.settings.profile.clear();
    const StreamNumbers few = wedges.numbers();
    EXPECT_THROW(few.problem({left_out, 1}), Error) << "nothing of the second wedge is fitted";
}

TEST(StreamNumbers, RanksAnswerForTheNumbersThatAreAsked) {
    TwoWedges wedges;
    const StreamNumbers numbers = wedges.numbers();
    StagedObjective staged(numbers, test_device().backend);
    for (const Numbers& asked : {Numbers{2, 1}, Numbers{left_out, 1}, Numbers{1, 1}}) {
        const FitProblem problem = numbers.problem(asked);
        const auto evaluators = make_evaluators(wedges.input, problem, test_device().backend);
        StreamObjective plain(*problem.space, evaluators);
        JointObjective wanted(plain, *problem.space, problem.stars_of_wedges());
        StageQuestions questions(staged, asked);
        JointObjective found(questions, *problem.space, problem.stars_of_wedges());
        std::vector<StreamModel> models;
        for (const WedgeInput& wedge : problem.wedges) models.push_back(wedge.model);
        const std::vector<Point> points{problem.space->point(models)};
        EXPECT_EQ(found.values(points), wanted.values(points));
        const Slope one = found.slopes(points).front(), other = wanted.slopes(points).front();
        EXPECT_EQ(one.value, other.value);
        EXPECT_EQ(one.gradient, other.gradient);
        EXPECT_TRUE(std::isfinite(one.value));
    }
}

/// Each star is held out once, and the fit of its fold has all others.
TEST(StreamNumbers, FoldsDealOutAllStars) {
    TwoWedges wedges;
    wedges.settings.folds = 4;
    const StreamNumbers numbers = wedges.numbers();
    const Numbers second = numbers.alone(1, 1);
    std::vector<double> held;
    for (int fold = 1; fold <= 4; ++fold) {
        const std::vector<Star> in = numbers.problem(second, -fold).wedges.front().stars,
                                out = numbers.problem(second, fold).wedges.front().stars;
        EXPECT_EQ(in.size() + out.size(), 119u);
        EXPECT_GT(in.size(), 15u);
        for (const Star& star : in) {
            held.push_back(star.l);
            EXPECT_TRUE(std::ranges::none_of(out, [&](const Star& s) { return s.l == star.l; }));
        }
        const auto same = numbers.problem(numbers.alone(1, 2), -fold).wedges.front().stars;
        EXPECT_TRUE(std::ranges::equal(same, in, {}, &Star::l, &Star::l));
    }
    std::ranges::sort(held);
    EXPECT_EQ(std::unique(held.begin(), held.end()) - held.begin(), 119);
}

TEST(StreamNumbers, RanksAnswerForTheStarsThatAreAsked) {
    TwoWedges wedges;
    wedges.settings.folds = 3;
    const StreamNumbers numbers = wedges.numbers();
    StagedObjective staged(numbers, test_device().backend);
    const Numbers one = numbers.alone(0, 1);
    double sum = 0, all = 0, whole = 0;
    for (const StarPart part : {all_stars, -1, -2, -3}) {
        const FitProblem problem = numbers.problem(one, part);
        StageQuestions questions(staged, one, part);
        const std::vector<Point> points{problem.space->point(problem.wedges.front().model)};
        const double value = questions.values(points).front();
        const auto stars = static_cast<double>(problem.number_of_stars());
        if (part == all_stars)
            whole = value * stars;
        else
            sum += value * stars, all += stars;
    }
    EXPECT_EQ(all, 122);
    EXPECT_NEAR(sum, whole, 1e-9 * std::abs(whole));
}

/// The search with one stream climbs the low hill, and that with two streams finds both places.
TEST(StreamNumbers, AGreaterNumberHelpsASearchThatWasStuck) {
    TwoWedges wedges;
    wedges.settings.free = {"wedge1.stream1.mu", "wedge1.stream2.mu", "wedge2.stream1.mu"};
    wedges.settings.method = "quasi-newton";
    wedges.settings.population = 4;
    wedges.settings.variations = 0;
    const StreamNumbers numbers = wedges.numbers();
    TwoHills hills;
    const FitProblem one = numbers.problem(numbers.alone(0, 1));
    StageQuestions questions(hills, numbers.alone(0, 1));
    EXPECT_NEAR(maximise(questions, *one.space, one.plan, {}).best.at[0], TwoHills::low, 1e-2);
    NoRefits refitter;
    const NumberFit fit = fit_numbers(hills, refitter, numbers, {});
    ASSERT_EQ(fit.rows.size(), 4u);
    EXPECT_NEAR(fit.rows[0].likelihood, 2 + std::exp(-4.5), 1e-4);  // 3 widths from the low hill
    EXPECT_NEAR(fit.rows[1].likelihood, 2.01, 1e-6);
    EXPECT_TRUE(fit.rows[0].chosen);
}

TEST(StreamNumbers, TheCriterionIsThatOfSchwarz) {
    // 100 stars with a density of 0.1 each, and 3 parameters.
    EXPECT_NEAR(information_criterion(-1, 100, 3), 3 * std::log(100.0) + 200 * std::log(10.0),
                1e-12);
}

}  // namespace tessera::likelihood
