// Observables of stars: densities against plain formulas in long double, what missing values and
// rescaled units change, and the distribution of simulated ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "gradient_models.hpp"
#include "likelihood/model/observed_stars.hpp"
#include "likelihood/model/wedge_evaluator.hpp"
#include "likelihood/simulate/simulate.hpp"
#include "plain_observables.hpp"
#include "point_sums.hpp"
#include "support/test_device.hpp"

namespace tessera::likelihood {
namespace {

StreamModel observed_model() {
    StreamModel model = test::gradient_model(io::Model::model2018);
    test::set_observables(model);
    return model;
}

std::vector<Star> inside(const StreamModel& model, std::int64_t number) {
    std::vector<Star> stars;
    for (const SimulatedStar& one : StarDrawer(model, 5).draw(0, number)) stars.push_back(one.star);
    return stars;
}

Evaluation evaluated(const StreamModel& model, const std::vector<Star>& stars, bool exact) {
    const auto make = exact ? make_exact_evaluator : make_compressed_evaluator;
    return make(model, stars, {}, test_device().backend)
        ->evaluate({&model, 1}, {.star_densities = true, .memberships = true})
        .at(0);
}

TEST(Observables, BothIntegrationsGiveThePlainSums) {
    const StreamModel model = observed_model();
    const std::vector<Star> stars = test::gradient_stars();
    const auto expected = static_cast<double>(test::PointSums(model).search_likelihood(stars));
    for (const bool exact : {true, false})
        EXPECT_NEAR(evaluated(model, stars, exact).search_likelihood, expected,
                    1e-12 * std::abs(expected));
}

/// By all numbers, at the tolerance of the gradient without observables. Fourth order.
TEST(Observables, TheGradientIsThatOfPlainSums) {
    StreamModel model = test::gradient_model(io::Model::classic);
    model.areas = {{{16, 22.5, 6}, {350, 400, 8}, {-1.25, 1.25, 4}}};
    test::set_observables(model);
    const std::vector<Star> stars = test::gradient_stars();
    const auto evaluator = make_compressed_evaluator(model, stars, {}, test_device().backend);
    const auto found = evaluator->evaluate({&model, 1}, {.gradient = true}).at(0).gradient;
    const std::vector<double> values = parameter_values(model);
    const std::vector<std::string> names = parameter_names(model);
    ASSERT_EQ(found.size(), values.size());
    ASSERT_EQ(names.size(), values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool quadratic = i >= 5 && i < 8;  // densities, far below that of the halo
        const double h = quadratic ? 1e-14 : 1e-5 * std::max(1.0, std::abs(values[i]));
        const auto at = [&](double offset) {
            std::vector<double> moved = values;
            moved[i] += offset;
            return test::PointSums(with_values(model, moved)).search_likelihood(stars);
        };
        const auto slope =
            static_cast<double>((8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h));
        EXPECT_NEAR(found[i], slope, 1e-8 * (1 + std::abs(slope))) << names[i];
    }
}

TEST(Observables, FactorsAreThePlainDensities) {
    const StreamModel model = observed_model();
    const std::vector<Star> stars = test::gradient_stars();
    test_device();
    const ObservedFactors found = observed_factors(model, stars);
    for (std::size_t i = 0; i < stars.size(); ++i) {
        const auto expected = test::plain_densities(model, stars[i]);
        for (std::size_t k = 0; k < expected.size(); ++k) {
            const double value = found.factors[3 * i + k];
            EXPECT_LE(value, 1);
            EXPECT_NEAR(value * std::pow(10, found.log10_scale[i]) /
                            static_cast<double>(expected[k]),
                        1, 1e-12);
        }
    }
}

TEST(Observables, StarsWithoutValuesAreThoseOfTheModelWithoutThem) {
    const StreamModel with = observed_model(), without = test::gradient_model(io::Model::model2018);
    std::vector<Star> stars = inside(with, 200);
    for (Star& star : stars) std::fill_n(star.observed.begin(), 3, std::nan(""));
    for (const bool exact : {true, false}) {
        const Evaluation one = evaluated(with, stars, exact),
                         other = evaluated(without, stars, exact);
        EXPECT_EQ(one.search_likelihood, other.search_likelihood);
        EXPECT_EQ(one.stream_only_likelihoods, other.stream_only_likelihoods);
        EXPECT_EQ(one.star_log10_density, other.star_log10_density);
        EXPECT_EQ(one.memberships, other.memberships);
    }
}

/// Values a thousand times smaller have densities a thousand times larger, and nothing else
/// changes. A likelihood may then be positive, or 0.
TEST(Observables, UnitsChangeTheLikelihoodByAConstant) {
    const StreamModel model = observed_model();
    const std::vector<Star> stars = inside(model, 200);
    const Evaluation before = evaluated(model, stars, false);
    StreamModel scaled = model;
    std::vector<Star> moved = stars;
    const double unit = 1e-3;
    const auto scale = [unit](io::Spread& s) {
        s = {s.mean * unit, s.slope * unit, s.curvature * unit, s.dispersion * unit};
    };
    for (io::Population& one : scaled.background.populations) scale(one.observables[2]);
    for (io::Stream& one : scaled.streams) scale(one.observables[2]);
    for (Star& star : moved) star.observed[2] *= unit, star.observed[5] *= unit;
    const Evaluation after = evaluated(scaled, moved, false);
    EXPECT_NEAR(after.search_likelihood, before.search_likelihood + 3, 1e-12);
    for (std::size_t i = 0; i < before.memberships.size(); ++i)
        EXPECT_NEAR(after.memberships[i], before.memberships[i], 1e-12);
}

/// Far from every component a density is too small for a double.
TEST(Observables, AStarFarFromAllComponentsHasALikelihood) {
    const StreamModel model = observed_model();
    std::vector<Star> stars = inside(model, 20);
    stars[7].observed[0] = 1e4;
    for (const bool exact : {true, false}) {
        const Evaluation found = evaluated(model, stars, exact);
        EXPECT_LT(found.star_log10_density[7], -1e5);
        EXPECT_TRUE(std::isfinite(found.search_likelihood));
    }
}

TEST(Observables, StarsWithoutColumnsAreRefused) {
    const StreamModel model = observed_model();
    std::vector<Star> stars = inside(model, 3);
    stars[1].observed.clear();
    EXPECT_THROW(observed_table(model, stars), Error);
    EXPECT_THROW(evaluated(model, stars, false), Error);
    EXPECT_THROW(evaluated(model, stars, true), Error);
}

/// Chi-square of the residuals of each component, whose variance is that of dispersion and errors.
TEST(Observables, SimulatedOnesHaveTheirDistributions) {
    StreamModel model = observed_model();
    model.background.populations.resize(1);
    model.observables[0].simulated_error = 0.5;
    model.observables[0].simulated_growth = 1.3;
    model.observables[2].simulated_share = 0.25;
    const auto stars = StarDrawer(model, 11).draw(0, 20000);
    const StripeAxes stripe = stripe_axes(model.wedge);
    double measured = 0;
    std::vector<double> chi2(6), count(6);
    for (const auto& [star, component] : stars) {
        const auto& spreads =
            component == 0 ? model.background.populations[0].observables
                           : model.streams[static_cast<std::size_t>(component) - 1].observables;
        const Vec3 unit = galactic_direction(star.l, star.b).unit;
        double x = 95 - 375 +
                   std::atan2(dot(unit, stripe.axes[1]), dot(unit, stripe.axes[0])) *
                       (180 / std::numbers::pi);
        x = std::remainder(x, 360);
        measured += std::isnan(star.observed[2]) ? 0 : 1;
        EXPECT_NEAR(star.observed[3], 0.5 * std::pow(1.3, 14.2 + 5 * std::log10(star.r) - 18),
                    1e-9);
        for (std::size_t i = 0; i < 2; ++i) {
            const io::Spread& s = spreads[i];
            const double away = star.observed[i] - s.mean - x * (s.slope + x * s.curvature);
            const std::size_t at = 2 * static_cast<std::size_t>(component) + i;
            chi2[at] += away * away /
                        (s.dispersion * s.dispersion + star.observed[3 + i] * star.observed[3 + i]);
            count[at] += 1;
        }
    }
    EXPECT_NEAR(measured / 20000, 0.25, 0.02);
    for (std::size_t i = 0; i < chi2.size(); ++i) {
        ASSERT_GT(count[i], 500);
        EXPECT_NEAR(chi2[i] / count[i], 1, 5 * std::sqrt(2 / count[i])) << i;
    }
}

/// The errors of a bootstrap are those of the stars.
TEST(Observables, SimulatedOnesTakeTheErrorsOfMeasuredStars) {
    const StreamModel model = observed_model();
    std::vector<Star> measured = inside(model, 100);
    for (std::size_t i = 0; i < measured.size(); ++i) {
        measured[i].observed[3] = 0.01 * static_cast<double>(i);
        measured[i].observed[6] = 0.5;
        if (i % 4 == 0) measured[i].observed[2] = std::nan("");
    }
    const auto drawn = StarDrawer(model, 6, measured).draw(0, 100);
    for (std::size_t i = 0; i < measured.size(); ++i) {
        const std::vector<double>& observed = drawn[i].star.observed;
        EXPECT_EQ(observed[3], measured[i].observed[3]);
        EXPECT_EQ(observed[6], 0.5);
        EXPECT_EQ(std::isnan(observed[2]), i % 4 == 0);
        EXPECT_NE(observed[0], measured[i].observed[0]);
    }
}

}  // namespace
}  // namespace tessera::likelihood
