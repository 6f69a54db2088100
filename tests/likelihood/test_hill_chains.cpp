#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "likelihood/sample/hill_chains.hpp"
#include "sampler_runs.hpp"
#include "several_hills.hpp"

namespace tessera::likelihood {

namespace {

using namespace test;

Draws by_hill_chains(const Target& target, const NutsOptions& options,
                     const std::vector<Point>& starts, const std::vector<HillShape>& hills,
                     const ImageOf& image_of = as_it_is) {
    std::vector<State> states;
    for (const Point& start : starts) states.push_back(state_at(target, start));
    HillChains all(options, states, hills, image_of);
    while (!all.over()) {
        std::vector<Density> densities;
        for (const Point& point : all.proposals()) densities.push_back(target(point));
        all.accept(densities);
    }
    return all.draws();
}

/// What a climb would know: the centres, and unit covariances.
std::vector<HillShape> rough(const NormalHills& target) {
    std::vector<HillShape> hills;
    for (const HillShape& hill : target.hills())
        hills.push_back({hill.centre, Matrix(hill.centre.size(), 1.0)});
    return hills;
}

std::vector<Point> centres(const NormalHills& target, std::size_t chains) {
    std::vector<Point> starts;
    for (std::size_t c = 0; c < chains; ++c)
        starts.push_back(target.hills()[c % target.hills().size()].centre);
    return starts;
}

void expect_moments(const Draws& draws, const NormalHills& target) {
    const std::size_t n = target.hills().front().centre.size();
    for (std::size_t i = 0; i < n; ++i) {
        expect_mean(
            draws, [=](const Point& x) { return x[i]; }, target.mean(i));
        expect_mean(
            draws, [=](const Point& x) { return x[0] * x[i]; }, target.mean_product(0, i));
    }
}

double share_of(const Draws& draws, std::int32_t hill) {
    double share = 0, count = 0;
    for (const auto& chain : draws)
        for (const Draw& draw : chain) share += draw.hill == hill, ++count;
    return share / count;
}

}  // namespace

TEST(HillChains, FindTheSharesOfHillsOfDifferentShapes) {
    // In 8 dimensions, with standard deviations from 0.1 to 4. No trajectory leads across.
    const std::size_t n = 8;
    Point second(n, 30.0);
    second[3] = 0;
    const NormalHills target(
        {{Point(n, 0.0), stretched(n, 0.1, 4, 0.5)}, {second, stretched(n, 3, 0.3, -0.4)}},
        {0.85, 0.15});
    const Draws draws = by_hill_chains(target, {500, 2500}, centres(target, 4), rough(target));
    const auto on_second = [](const Point& x) { return x[0] > 15 ? 1.0 : 0.0; };
    expect_mean(draws, on_second, 0.15);
    EXPECT_NEAR(share_of(draws, 1), 0.15, 0.03);
    expect_moments(draws, target);
    double steps[2] = {0, 0}, leaps = 0;
    for (const auto& chain : draws)
        for (const Draw& draw : chain) {
            EXPECT_EQ(on_second(draw.state.at), draw.hill);
            double& step = steps[draw.hill];
            if (step == 0) step = draw.step_size;
            EXPECT_EQ(draw.step_size, step);
            leaps += draw.leaps / 10000.0;
        }
    EXPECT_LT(leaps, 12);  // each hill is round by its own metric
}

TEST(HillChains, AreRightForThreeHillsOfWhichTwoOverlap) {
    const NormalHills target({{{0, 0, 0}, stretched(3, 0.5, 2, 0.7)},
                              {{3, 0, 0.5}, stretched(3, 1, 0.4, 0)},
                              {{-20, 9, 4}, stretched(3, 2, 3, -0.5)}},
                             {0.5, 0.2, 0.3});
    const Draws draws = by_hill_chains(target, {400, 4000}, centres(target, 6), rough(target));
    expect_mean(
        draws, [](const Point& x) { return x[0] < -10 ? 1.0 : 0.0; }, 0.3);
    expect_moments(draws, target);
}

TEST(HillChains, OneDrawKeepsTheDensityHoweverWrongTheHillsAre) {
    // Exact points of the density, each moved by one draw, are exact points again. Centres,
    // shapes and the number of the hills are not those of the density.
    const std::size_t chains = 12'000;
    const NormalHills target(
        {{{0, 0}, stretched(2, 0.7, 1.5, 0.6)}, {{3, -4}, stretched(2, 1.2, 0.5, -0.2)}},
        {0.6, 0.4});
    std::vector<Point> starts;
    for (std::size_t c = 0; c < chains; ++c) {
        RandomStream random{77, c};
        starts.push_back(target.draw(random));
    }
    const std::vector<HillShape> wrong{{{0.5, 0.3}, stretched(2, 1.5, 0.5, -0.5)},
                                       {{2.5, -3}, stretched(2, 0.6, 1.4, 0.3)},
                                       {{-1, -3}, stretched(2, 1, 1.2, 0.1)}};
    const Draws draws = by_hill_chains(target, {0, 1, 0.8, 3}, starts, wrong);
    const auto expect = [&](const std::function<double(const Point&)>& f, double expected) {
        double sum = 0, squares = 0;
        for (const auto& chain : draws) {
            const double value = f(chain.front().state.at);
            sum += value / static_cast<double>(chains);
            squares += value * value / static_cast<double>(chains);
        }
        const double error = std::sqrt((squares - sum * sum) / static_cast<double>(chains));
        EXPECT_NEAR(sum, expected, 4 * error);
    };
    int jumps = 0;
    for (const auto& chain : draws) jumps += chain.front().jump == JumpOutcome::accepted;
    EXPECT_GT(jumps, 2000);
    for (const std::size_t i : {0, 1}) {
        expect([=](const Point& x) { return x[i]; }, target.mean(i));
        for (const std::size_t j : {0, 1})
            expect([=](const Point& x) { return x[i] * x[j]; }, target.mean_product(i, j));
    }
    expect([](const Point& x) { return std::exp(-x[0] * x[0] - x[1] * x[1]); },
           [&] {  // the integral of the density times this bell, on a grid
               double sum = 0;
               constexpr double step = 0.02;
               for (double x = -5; x < 5; x += step)
                   for (double y = -5; y < 5; y += step)
                       sum += std::exp(target({x, y}).log - x * x - y * y) * step * step;
               return sum / (2 * std::numbers::pi);
           }());
}

namespace {

/// The equivalent point nearest to (1.2, 0).
Image nearest_axis(const State& state) {
    constexpr double pi = std::numbers::pi;
    const auto near = [](double x, double to, double period) {
        return x - period * std::round((x - to) / period);
    };
    const Point straight{near(state.at[0], 1.2, pi), near(state.at[1], 0, 2 * pi)};
    const Point turned{near(-state.at[0], 1.2, pi), near(state.at[1] + pi, 0, 2 * pi)};
    const auto away = [](const Point& x) {  // in turns
        return std::pow((x[0] - 1.2) / pi, 2) + std::pow(x[1] / (2 * pi), 2);
    };
    Point gradient = state.density.gradient;
    if (away(straight) <= away(turned)) return {straight, gradient};
    gradient[0] = -gradient[0];
    return {turned, gradient};
}

}  // namespace

TEST(HillChains, AreRightForAxesThatTurnRound) {
    const std::vector<HillShape> hills{{{1.2, 0}, Matrix(2, 0.05)}, {{0.6, 1.57}, Matrix(2, 0.03)}};
    // Two chains begin at turned axes, and without warm-up they stay there.
    constexpr double pi = std::numbers::pi;
    const std::vector<Point> starts{{1.2, 0}, {-0.6, 1.57 + pi}, {-1.2, -pi}, {0.6, 1.57}};
    const Draws draws = by_hill_chains(TwoAxes{}, {0, 4000, 0.8, 6}, starts, hills, nearest_axis);
    const auto expect = [&](const std::function<double(const Point&)>& f) {
        double sum = 0, weights = 0;  // over all axes, on a grid
        for (int i = 0; i < 300; ++i)
            for (int j = 0; j < 600; ++j) {
                const Point at{std::numbers::pi * (i + 0.5) / 300,
                               std::numbers::pi * (j + 0.5) / 300};
                const double weight = std::exp(TwoAxes{}(at).log);
                weights += weight;
                sum += weight * f(at);
            }
        expect_mean(draws, f, sum / weights);
    };
    expect([](const Point& at) { return std::pow(std::cos(at[0]), 2); });
    expect([](const Point& at) { return std::pow(std::sin(at[0]) * std::sin(at[1]), 2); });
    expect([](const Point& at) { return std::sin(2 * at[0]) * std::sin(at[1]); });
    expect([](const Point& at) { return std::sin(2 * at[0]) * std::cos(at[1]); });
}

TEST(HillChains, DependOnTheSeedAlone) {
    const NormalHills target({{{0, 0}, stretched(2, 0.5, 2, 0)}, {{9, 9}, Matrix(2, 1.0)}},
                             {0.5, 0.5});
    const auto last = [&](std::uint64_t seed) {
        return by_hill_chains(target, {60, 20, 0.8, 10, seed}, centres(target, 2), rough(target))[1]
            .back()
            .state.at;
    };
    EXPECT_EQ(last(7), last(7));
    EXPECT_NE(last(7), last(8));
}

}  // namespace tessera::likelihood
