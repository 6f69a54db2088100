#include <gtest/gtest.h>

#include <cstddef>

#include "likelihood/model/wedge_evaluator.hpp"
#include "point_sums.hpp"
#include "random_models.hpp"
#include "support/test_device.hpp"

namespace tessera::likelihood {
namespace {

std::unique_ptr<WedgeEvaluator> evaluator(const StreamModel& model, std::span<const Star> stars) {
    return make_compressed_evaluator(model, stars, {}, test_device().backend);
}

TEST(CompressedStars, LikelihoodAgreesWithBruteForceWithinItsEstimate) {
    test::RandomModels random(11);
    for (int i = 0; i < 6; ++i) {
        SCOPED_TRACE(i);
        StreamModel model = random.model(2);
        if (i % 2 == 1) model.turnoff = io::Turnoff::newby2011;
        const std::vector<Star> stars = random.stars(60);
        const Evaluation result = evaluator(model, stars)->evaluate({&model, 1}, {}).at(0);
        const test::Real exact = test::PointSums(model).search_likelihood(stars);
        const double error =
            static_cast<double>(std::abs((result.search_likelihood - exact) / exact));
        EXPECT_LE(error, 1e-11);
        EXPECT_LE(error, result.error_estimates.back());
    }
}

TEST(CompressedStars, DensitiesAverageToTheLikelihood) {
    test::RandomModels random(12);
    const StreamModel model = random.model(2);
    const std::vector<Star> stars = random.stars(150);
    const Evaluation result =
        evaluator(model, stars)->evaluate({&model, 1}, {.star_densities = true}).at(0);
    ASSERT_EQ(result.star_log10_density.size(), stars.size());
    double sum = 0;
    for (double density : result.star_log10_density) sum += density;
    EXPECT_NEAR(sum / 150, result.search_likelihood, 1e-13);
}

TEST(CompressedStars, ASetHasTheSameBitsInAnyBatch) {
    test::RandomModels random(13);
    const StreamModel first = random.model(3);
    const std::vector<Star> stars = random.stars(200);
    const auto made = evaluator(first, stars);
    std::vector<StreamModel> sets(40, first);
    for (std::size_t i = 0; i < sets.size(); ++i)
        for (io::Stream& stream : sets[i].streams)
            stream.sigma *= 1 + 0.01 * static_cast<double>(i);
    const Wanted wanted{.star_densities = true, .gradient = true};
    const std::vector<Evaluation> together = made->evaluate(sets, wanted);
    for (const std::size_t i : {0U, 7U, 31U, 32U, 39U}) {
        const Evaluation alone = made->evaluate({&sets[i], 1}, wanted).at(0);
        EXPECT_EQ(alone.search_likelihood, together[i].search_likelihood);
        EXPECT_EQ(alone.stream_integrals, together[i].stream_integrals);
        EXPECT_EQ(alone.gradient, together[i].gradient);
        EXPECT_EQ(alone.star_log10_density, together[i].star_log10_density);
        EXPECT_EQ(alone.error_estimates, together[i].error_estimates);
    }
}

TEST(CompressedStars, AStarsDensityIsTheSameInAnyBlock) {
    test::RandomModels random(15);
    StreamModel model = random.model(2);
    const std::vector<Star> stars = random.stars(200);
    for (const io::Turnoff turnoff : {io::Turnoff::gaussian, io::Turnoff::newby2011}) {
        model.turnoff = turnoff;
        const Wanted wanted{.star_densities = true};
        // With this tolerance no likelihood needs finer panels than another.
        const auto evaluate = [&](std::span<const Star> some) {
            const auto made =
                make_compressed_evaluator(model, some, {.tolerance = 1e-7}, test_device().backend);
            return made->evaluate({&model, 1}, wanted).at(0);
        };
        const Evaluation all = evaluate(stars);
        for (const std::size_t count : {1U, 63U, 64U, 65U, 150U}) {
            const Evaluation few = evaluate(std::span(stars).last(count));
            ASSERT_EQ(few.star_log10_density.size(), count);
            for (std::size_t i = 0; i < count; ++i)
                EXPECT_NEAR(few.star_log10_density[i], all.star_log10_density[200 - count + i],
                            1e-13)
                    << count << " " << i;
        }
    }
}

TEST(CompressedStars, ShortConvolutionsKeepTheirPoints) {
    test::RandomModels random(14);
    StreamModel model = random.model(1);
    const std::vector<Star> stars = random.stars(20);
    for (const int nodes : {2, 16, 18, 34}) {
        model.convolve = nodes;
        const Evaluation result = evaluator(model, stars)->evaluate({&model, 1}, {}).at(0);
        const test::Real exact = test::PointSums(model).search_likelihood(stars);
        EXPECT_NEAR(result.search_likelihood, static_cast<double>(exact),
                    1e-11 * std::abs(result.search_likelihood))
            << nodes;
    }
}

}  // namespace
}  // namespace tessera::likelihood
