// Every number of observables against plain formulas in long double, and many stars: the sums over
// blocks of them, the gradient against differences, and bits that no batch changes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gradient_models.hpp"
#include "likelihood/model/observed_stars.hpp"
#include "likelihood/model/random_stream.hpp"
#include "likelihood/model/wedge_evaluator.hpp"
#include "plain_observables.hpp"
#include "support/test_device.hpp"

namespace tessera::likelihood {
namespace {

std::vector<io::Spread> random_spreads(std::size_t observables, RandomStream& random) {
    std::vector<io::Spread> spreads;
    for (std::size_t i = 0; i < observables; ++i)
        spreads.push_back({random.uniform(-2, 2), random.uniform(-0.03, 0.03),
                           random.uniform(-4e-4, 4e-4), random.uniform(0.5, 3)});
    return spreads;
}

/// One cell, two streams, two populations.
StreamModel observed_model(std::size_t observables, RandomStream& random) {
    StreamModel model = test::gradient_model(io::Model::classic);
    model.areas = {{{16, 22.5, 2}, {350, 400, 2}, {-1.25, 1.25, 1}}};
    for (std::size_t i = 0; i < observables; ++i) {
        const std::string name = "o" + std::to_string(i);
        model.observables.push_back({name, name, name + "_error", std::vector<std::string>(i)});
    }
    model.background.populations = {{0, random_spreads(observables, random)},
                                    {-0.6, random_spreads(observables, random)}};
    for (io::Stream& stream : model.streams)
        stream.observables = random_spreads(observables, random);
    return model;
}

/// Near and far in every observable. Some values are missing, and all of every ninth star. Errors
/// have the correlations of two common causes.
std::vector<Star> random_stars(std::size_t observables, std::size_t number, RandomStream& random) {
    std::vector<Star> stars;
    for (std::size_t s = 0; s < number; ++s) {
        stars.push_back(
            {random.uniform(60, 180), random.uniform(-70, -40), random.uniform(5, 40), {}});
        std::vector<double> values, errors, correlations, first, second;
        for (std::size_t i = 0; i < observables; ++i) {
            const bool missing = s % 9 == 8 || random.uniform() < 0.3;
            values.push_back(missing ? std::nan("") : random.uniform(-6, 6));
            errors.push_back(missing ? std::nan("") : random.uniform(0.1, 2));
            first.push_back(random.uniform(-0.6, 0.6));
            second.push_back(random.uniform(-0.6, 0.6));
            for (std::size_t j = 0; j < i; ++j)
                correlations.push_back(first[i] * first[j] + second[i] * second[j]);
        }
        std::vector<double>& observed = stars.back().observed;
        observed = values;
        observed.insert(observed.end(), errors.begin(), errors.end());
        observed.insert(observed.end(), correlations.begin(), correlations.end());
    }
    return stars;
}

class ObservedWidths : public testing::TestWithParam<int> {
  protected:
    std::size_t observables() const { return static_cast<std::size_t>(GetParam()); }
};

TEST_P(ObservedWidths, FactorsAreThePlainDensities) {
    test_device();
    RandomStream random({31, observables()});
    const StreamModel model = observed_model(observables(), random);
    const std::vector<Star> stars = random_stars(observables(), 200, random);
    const ObservedFactors found = observed_factors(model, stars);
    for (std::size_t s = 0; s < stars.size(); ++s) {
        const auto expected = test::plain_densities(model, stars[s]);
        EXPECT_EQ(*std::max_element(&found.factors[3 * s], &found.factors[3 * s] + 3), 1);
        for (std::size_t k = 0; k < expected.size(); ++k) {
            const long double value =
                found.factors[3 * s + k] *
                std::pow(10.0L, static_cast<long double>(found.log10_scale[s]));
            EXPECT_NEAR(static_cast<double>(value / expected[k]), 1, 1e-13) << s;
        }
    }
}

/// The evaluator's own values, which other tests compare with plain sums, in differences of fourth
/// order by every number of an observable.
TEST_P(ObservedWidths, TheGradientIsThatOfDifferences) {
    RandomStream random({32, observables()});
    const StreamModel model = observed_model(observables(), random);
    const std::vector<Star> stars = random_stars(observables(), 30, random);
    const auto evaluator = make_compressed_evaluator(model, stars, {}, test_device().backend);
    const auto found = evaluator->evaluate({&model, 1}, {.gradient = true}).at(0).gradient;
    const std::vector<double> values = parameter_values(model);
    const std::vector<std::string> names = parameter_names(model);
    std::size_t judged = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (names[i].find(".o") == std::string::npos) continue;
        const double h = names[i].ends_with("curvature") ? 1e-6
                         : names[i].ends_with("slope")   ? 5e-5
                                                         : 1e-3;
        std::vector<StreamModel> moved;
        for (const double offset : {h, -h, 2 * h, -2 * h}) {
            std::vector<double> at = values;
            at[i] += offset;
            moved.push_back(with_values(model, at));
        }
        const auto at = evaluator->evaluate(moved, {});
        const double near = at[0].search_likelihood - at[1].search_likelihood,
                     far = at[2].search_likelihood - at[3].search_likelihood;
        const double slope = (8 * near - far) / (12 * h);
        EXPECT_NEAR(found[i], slope, 1e-8 * (1 + std::abs(slope))) << names[i];
        ++judged;
    }
    EXPECT_EQ(judged, 4 * 4 * observables());
}

INSTANTIATE_TEST_SUITE_P(All, ObservedWidths, testing::Range(1, 9));

/// More stars than a block of the kernels has, and a last block that is not full.
class ManyObservedStars : public testing::Test {
  protected:
    RandomStream random{{33}};
    StreamModel model = observed_model(3, random);
    std::vector<Star> stars = random_stars(3, 4200, random);
    std::unique_ptr<WedgeEvaluator> evaluator =
        make_compressed_evaluator(model, stars, {}, test_device().backend);
};

TEST_F(ManyObservedStars, TheLikelihoodIsTheMeanOfTheirDensities) {
    const Evaluation found = evaluator->evaluate({&model, 1}, {.star_densities = true}).at(0);
    const Evaluation exact = make_exact_evaluator(model, stars, {}, test_device().backend)
                                 ->evaluate({&model, 1}, {.star_densities = true})
                                 .at(0);
    const auto& each = found.star_log10_density;
    const double mean = std::accumulate(each.begin(), each.end(), 0.0L) / 4200.0L;
    EXPECT_NEAR(found.search_likelihood, mean, 1e-13 * std::abs(mean));
    for (std::size_t s = 0; s < stars.size(); ++s)
        EXPECT_NEAR(each[s], exact.star_log10_density[s], 1e-9);
}

/// The gradient is a mean over stars: that of all is that of the parts.
TEST_F(ManyObservedStars, TheGradientIsTheMeanOfThatOfParts) {
    const auto gradient = [this](std::span<const Star> of) {
        return make_compressed_evaluator(model, of, {}, test_device().backend)
            ->evaluate({&model, 1}, {.gradient = true})
            .at(0)
            .gradient;
    };
    const std::span<const Star> all = stars;
    const auto whole = gradient(all), first = gradient(all.first(2000)),
               last = gradient(all.subspan(2000));
    for (std::size_t i = 0; i < whole.size(); ++i) {
        const double mean = (2000 * first[i] + 2200 * last[i]) / 4200;
        EXPECT_NEAR(whole[i], mean, 1e-12 * (1 + std::abs(mean))) << i;
    }
}

TEST_F(ManyObservedStars, BitsDoNotDependOnTheBatch) {
    StreamModel other = model;
    other.background.populations[1].observables[0].mean += 0.5;
    other.streams[0].observables[2].dispersion *= 1.5;
    const std::vector<StreamModel> both = {other, model};
    const Wanted all{.star_densities = true, .gradient = true, .memberships = true};
    const auto together = evaluator->evaluate(both, all);
    for (std::size_t i = 0; i < both.size(); ++i) {
        const Evaluation alone = evaluator->evaluate({&both[i], 1}, all).at(0);
        EXPECT_EQ(alone.search_likelihood, together[i].search_likelihood);
        EXPECT_EQ(alone.gradient, together[i].gradient);
        EXPECT_EQ(alone.star_log10_density, together[i].star_log10_density);
        EXPECT_EQ(alone.memberships, together[i].memberships);
        const Evaluation plain = evaluator->evaluate({&both[i], 1}, {.gradient = true}).at(0);
        EXPECT_EQ(plain.search_likelihood, alone.search_likelihood);
        EXPECT_EQ(plain.gradient, alone.gradient);
    }
    EXPECT_NE(together[0].search_likelihood, together[1].search_likelihood);
}

/// A fit rejects such a point. It must not look like a good one.
TEST_F(ManyObservedStars, ADistributionWithoutWidthHasNoLikelihood) {
    for (Star& star : stars) star.observed[3] = 0, star.observed[6] = star.observed[7] = 0;
    evaluator = make_compressed_evaluator(model, stars, {}, test_device().backend);
    EXPECT_TRUE(std::isfinite(evaluator->evaluate({&model, 1}, {}).at(0).search_likelihood));
    const StreamModel before = model;
    for (io::Spread* spread :
         {&model.background.populations[0].observables[0],
          &model.background.populations[1].observables[0], &model.streams[1].observables[0]}) {
        model = before;
        spread->dispersion = 0;
        EXPECT_FALSE(std::isfinite(evaluator->evaluate({&model, 1}, {}).at(0).search_likelihood));
    }
}

}  // namespace
}  // namespace tessera::likelihood
