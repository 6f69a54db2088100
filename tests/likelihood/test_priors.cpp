#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "core/error.hpp"
#include "known_objectives.hpp"
#include "likelihood/sample/diagnostics.hpp"
#include "likelihood/sample/sampling.hpp"
#include "small_wedge.hpp"

namespace tessera::likelihood {

namespace {

using io::Distribution;
using io::PriorSetting;

PriorSetting setting(const std::string& name, Distribution distribution, double lower, double upper,
                     double mean = 0, double sd = 0) {
    PriorSetting one;
    one.name = name;
    one.distribution = distribution;
    one.lower = lower;
    one.upper = upper;
    one.mean = mean;
    one.sd = sd;
    return one;
}

FreeParameter free_of(const PriorSetting& prior) {
    const auto bounds = with_prior_bounds({}, {prior}).bounds.front();
    FreeParameter free;
    free.name = prior.name;
    free.lower = bounds.lower;
    free.upper = bounds.upper;
    return free;
}

double normal_share(double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; }

struct Case {
    PriorSetting prior;
    std::function<double(double)> share_below;  ///< the distribution function
};

std::vector<Case> cases() {
    const auto truncated = [](double x) {
        const double first = normal_share(-1), all = normal_share(2) - first;
        return (normal_share((x - 3) / 0.5) - first) / all;
    };
    return {
        {setting("a", Distribution::uniform, -1, 4), [](double x) { return (x + 1) / 5; }},
        {setting("b", Distribution::log_uniform, 0.3, 10),
         [](double x) { return std::log(x / 0.3) / std::log(10 / 0.3); }},
        {setting("c", Distribution::normal, 0, 0, 27, 3),
         [](double x) { return normal_share((x - 27) / 3); }},
        {setting("d", Distribution::truncated_normal, 2.5, 4, 3, 0.5), truncated},
    };
}

void expect_slope(const std::function<Rise(double)>& function, double at) {
    constexpr double step = 1e-5;
    const double slope = (function(at + step).value - function(at - step).value) / (2 * step);
    EXPECT_NEAR(function(at).slope, slope, 1e-7 * (1 + std::abs(slope)));
}

/// The space of the stream of the small wedge, within its default bounds.
StreamSpace space_of(std::vector<std::string> free, const std::vector<PriorSetting>& priors = {}) {
    io::FitSettings settings;
    settings.free = std::move(free);
    const StreamModel model = test::small_wedge();
    return {model, free_parameters(model, with_prior_bounds(settings, priors))};
}

Posterior posterior_of(const StreamSpace& space, const std::vector<PriorSetting>& given,
                       double unit) {
    std::vector<Prior> priors;
    const auto all = complete_priors(given, space.free());
    for (std::size_t i = 0; i < all.size(); ++i)
        priors.emplace_back(all[i], space.free()[i], space.goes_round(i));
    return {space, priors, unit};
}

}  // namespace

TEST(Prior, CoordinatesAndDensitiesHaveTheirSlopes) {
    for (const Case& one : cases()) {
        SCOPED_TRACE(one.prior.name);
        const Prior prior(one.prior, free_of(one.prior), false);
        for (const double y : {-3.0, -0.4, 0.0, 1.7}) {
            expect_slope([&](double at) { return prior.cube(at); }, y);
            expect_slope([&](double at) { return prior.log_density_on_line(at); }, y);
            expect_slope([&](double at) { return prior.log_density(at); }, prior.cube(y).value);
            EXPECT_NEAR(prior.line(prior.cube(y).value), y, 1e-12);
        }
        EXPECT_TRUE(std::isfinite(prior.line(0)));
        EXPECT_TRUE(std::isfinite(prior.line(1)));
    }
}

TEST(Prior, HasItsDistributionOnTheLine) {
    constexpr double step = 1e-3, end = 30;
    for (const Case& one : cases()) {
        SCOPED_TRACE(one.prior.name);
        const FreeParameter free = free_of(one.prior);
        const Prior prior(one.prior, free, false);
        const auto weight = [&](double y) { return std::exp(prior.log_density_on_line(y).value); };
        double whole = 0;
        for (double y = -end; y < end; y += step) whole += weight(y + step / 2);
        double sum = 0;
        for (double y = -end; y < 2; y += step) {
            sum += weight(y + step / 2);
            const double x = free.lower + free.width() * prior.cube(y + step).value;
            ASSERT_NEAR(sum / whole, one.share_below(x), 1e-6) << "below " << x;
        }
    }
}

TEST(Prior, ReplacesBoundsAndIsRefusedIfItHasNoEffect) {
    const auto normal = setting("stream1.r", Distribution::normal, 0, 0, 27, 3);
    io::FitSettings bounded;
    bounded.bounds = {{"stream1.r", 20, 30}};
    const auto replaced = with_prior_bounds(bounded, {normal}).bounds;
    ASSERT_EQ(replaced.size(), 1u);  // the prior takes precedence
    EXPECT_EQ(replaced[0].lower, -3);
    EXPECT_EQ(replaced[0].upper, 57);
    const StreamSpace space = space_of({"stream1.mu"});
    EXPECT_THROW(complete_priors({normal}, space.free()), Error);
    // Ten standard deviations reach a width below 0.
    EXPECT_THROW(
        space_of({"stream1.sigma"}, {setting("stream1.sigma", Distribution::normal, 0, 0, 3, 1)}),
        Error);
    EXPECT_EQ(describe(normal), "normal, mean 27, sd 3");
}

TEST(Posterior, AnglesGoRoundOnlyIfTheirPriorsAreUniform) {
    const std::vector<std::string> angles{"stream1.theta", "stream1.phi"};
    EXPECT_TRUE(space_of(angles).goes_round(0));
    const auto pi = std::numbers::pi;
    const StreamSpace bell =
        space_of(angles, {setting("stream1.theta", Distribution::truncated_normal, 0, pi, 1, 1)});
    EXPECT_FALSE(bell.goes_round(0));
    EXPECT_FALSE(bell.goes_round(1));
}

// A normal likelihood and a normal prior give a normal posterior whose mean and variance are known.
TEST(Sampling, FindsAConjugatePosteriorByBothSamplers) {
    const auto prior = setting("stream1.r", Distribution::normal, 0, 0, 27, 2);
    const StreamSpace space = space_of({"stream1.r", "stream1.mu"}, {prior});
    constexpr double unit = 5000, r = 24, r_sd = 1, mu = 31, mu_sd = 0.4;
    ASSERT_EQ(space.free()[0].name, "stream1.mu");
    const Posterior posterior = posterior_of(space, {prior}, unit);
    test::FunctionObjective objective([&](const Point& cube) {
        const auto values = space.values(cube);
        const double a = (values[0] - mu) / mu_sd, b = (values[1] - r) / r_sd;
        return Slope{-(a * a + b * b) / 2 / unit,
                     {-a / mu_sd * space.free()[0].width() / unit,
                      -b / r_sd * space.free()[1].width() / unit}};
    });
    const double r_variance = 1 / (1 / (r_sd * r_sd) + 1 / 4.0);
    const double r_mean = r_variance * (r / (r_sd * r_sd) + 27 / 4.0);
    for (const Sampler sampler : {Sampler::nuts, Sampler::ensemble}) {
        SamplePlan plan;
        plan.sampler = sampler;
        plan.chains = sampler == Sampler::nuts ? 4 : 20;
        plan.warmup = 500;
        plan.draws = 2500;
        const Samples samples = draw_samples(objective, posterior, {0.3, 0.6}, plan);
        EXPECT_NEAR(space.values(samples.top)[1], r_mean, 0.05);
        for (const std::size_t i : {0, 1}) {
            Chains values, squares;
            const double mean = i == 0 ? mu : r_mean;
            const double variance = i == 0 ? mu_sd * mu_sd : r_variance;
            for (const auto& chain : samples.draws) {
                auto& value = values.emplace_back();
                auto& square = squares.emplace_back();
                for (const Draw& draw : chain) {
                    value.push_back(space.values(posterior.cube(draw.state.at))[i]);
                    square.push_back((value.back() - mean) * (value.back() - mean));
                }
            }
            const Summary found = summarise(values), spread = summarise(squares);
            EXPECT_LT(found.r_hat, 1.02);
            EXPECT_NEAR(found.mean, mean, 5 * found.sd / std::sqrt(found.bulk_ess));
            EXPECT_NEAR(spread.mean, variance, 5 * spread.sd / std::sqrt(spread.bulk_ess));
        }
    }
}

// The weight of an axis that has no preferred side: both samplers see one of its two images.
TEST(Sampling, AnglesThatGoRoundHaveOneImage) {
    const StreamSpace space = space_of({"stream1.theta", "stream1.phi"});
    const Posterior posterior = posterior_of(space, {}, 1);
    // Von Mises densities around an axis: periods of a whole turn of theta and, with
    // (theta, phi) -> (pi - theta, phi + pi), of half a turn of phi.
    test::FunctionObjective objective([](const Point& u) {
        constexpr double turn = 2 * std::numbers::pi;
        return Slope{
            3 * std::cos(turn * u[0]) + 4 * std::cos(2 * turn * (u[1] - 0.45)),
            {-3 * turn * std::sin(turn * u[0]), -8 * turn * std::sin(2 * turn * (u[1] - 0.45))}};
    });
    for (const Sampler sampler : {Sampler::nuts, Sampler::ensemble}) {
        SamplePlan plan;
        plan.sampler = sampler;
        plan.chains = sampler == Sampler::nuts ? 4 : 32;
        plan.draws = 2000;
        const Samples samples = draw_samples(objective, posterior, {0.02, 0.4}, plan);
        Chains cosines;
        for (const auto& chain : samples.draws) {
            auto& values = cosines.emplace_back();
            for (const Draw& draw : chain) {
                const Point image =
                    posterior.image_near(posterior.cube(draw.state.at), samples.top);
                EXPECT_LE(std::abs(image[0] - samples.top[0]), 0.5);
                EXPECT_LE(std::abs(image[1] - samples.top[1]), 0.5);
                values.push_back(std::cos(2 * std::numbers::pi * image[0]));
            }
        }
        // The mean cosine of a von Mises density is I1(3) / I0(3).
        const Summary found = summarise(cosines);
        EXPECT_LT(found.r_hat, 1.02);
        EXPECT_NEAR(found.mean, std::cyl_bessel_i(1, 3.0) / std::cyl_bessel_i(0, 3.0),
                    5 * found.sd / std::sqrt(found.bulk_ess));
    }
}

TEST(Posterior, AnImageHasTheDensityAndTheGradientOfItsPlace) {
    const StreamSpace space = space_of({"stream1.mu", "stream1.theta", "stream1.phi"});
    const Posterior posterior = posterior_of(space, {}, 1);
    const auto slope_at = [](const Point& u) {
        constexpr double turn = 2 * std::numbers::pi;
        return Slope{
            u[0] + 3 * std::cos(turn * u[1]) + 4 * std::cos(2 * turn * (u[2] - 0.45)),
            {1, -3 * turn * std::sin(turn * u[1]), -8 * turn * std::sin(2 * turn * (u[2] - 0.45))}};
    };
    const auto density_at = [&](const Point& line) {
        return posterior.density(line, slope_at(posterior.cube(line)));
    };
    RandomStream random{3};
    int moved = 0;
    for (int k = 0; k < 50; ++k) {
        // The first coordinate is so near to a bound that its place in the cube says little.
        const Point line{30.0 - k, 20 * random.uniform() - 10, 20 * random.uniform() - 10};
        const Density here = density_at(line);
        const Image image = posterior.line_near(line, here.gradient, {0.5, 0.1, 0.4});
        const Density there = density_at(image.line);
        EXPECT_EQ(image.line[0], line[0]);
        EXPECT_NEAR(there.log, here.log, 1e-9);
        for (std::size_t i = 0; i < line.size(); ++i)
            EXPECT_NEAR(image.gradient[i], there.gradient[i], 1e-9);
        EXPECT_NEAR(posterior.cube(image.line)[1], 0.1, 0.5);
        EXPECT_NEAR(posterior.cube(image.line)[2], 0.4, 0.5);
        moved += image.line != line;
    }
    EXPECT_GT(moved, 30);
}

TEST(Sampling, ThrowsIfThereIsNoFiniteLikelihood) {
    const StreamSpace space = space_of({"stream1.mu"});
    const Posterior posterior = posterior_of(space, {}, 1);
    test::FunctionObjective nothing([](const Point&) { return Slope{rejected, {0}}; });
    EXPECT_THROW(draw_samples(nothing, posterior, {0.5}, {}), CannotStart);
}

}  // namespace tessera::likelihood
