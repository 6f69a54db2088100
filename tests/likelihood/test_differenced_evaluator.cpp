#include "likelihood/exact/differenced_evaluator.hpp"

#include <gtest/gtest.h>

#include "small_wedge.hpp"
#include "support/test_device.hpp"

namespace tessera::likelihood {
namespace {

std::vector<Star> some_stars() {
    std::vector<Star> stars;
    for (int i = 0; i < 40; ++i) stars.push_back({60.0 + 3 * i, -60.0 + 0.5 * i, 6.0 + 0.8 * i});
    return stars;
}

TEST(DifferencedEvaluator, ExactGradientsAgreeWithTheCompressedModesAnalyticOnes) {
    const StreamModel model = test::small_wedge();
    const auto stars = some_stars();
    const auto backend = test_device().backend;
    const auto names = parameter_names(model);
    const std::vector<Differenced> free{{0, 4.0}, {1, 1.9}, {9, 60.0}, {10, 40.0}, {13, 9.7}};
    const auto exact =
        make_differenced_evaluator(make_exact_evaluator(model, stars, {}, backend), free, 1e-13);
    const auto compressed = make_compressed_evaluator(model, stars, {}, backend);
    const Evaluation found = exact->evaluate({&model, 1}, {.gradient = true}).at(0);
    const Evaluation known = compressed->evaluate({&model, 1}, {.gradient = true}).at(0);
    EXPECT_NEAR(found.search_likelihood, known.search_likelihood, 1e-10);
    ASSERT_EQ(found.gradient.size(), names.size());
    std::vector<bool> moves(names.size(), false);
    for (const Differenced& parameter : free) moves[parameter.place] = true;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!moves[i])
            EXPECT_EQ(found.gradient[i], 0) << names[i];
        else
            EXPECT_NEAR(found.gradient[i], known.gradient[i],
                        1e-6 * (1e-3 + std::abs(known.gradient[i])))
                << names[i];
    }
}

TEST(DifferencedEvaluator, ValuesAloneAreTheEvaluatorsOwn) {
    const StreamModel model = test::small_wedge();
    const auto stars = some_stars();
    const auto backend = test_device().backend;
    const auto plain = make_exact_evaluator(model, stars, {}, backend);
    const auto differenced = make_differenced_evaluator(
        make_exact_evaluator(model, stars, {}, backend), {{0, 4.0}}, 1e-13);
    const Evaluation found = differenced->evaluate({&model, 1}, {}).at(0);
    EXPECT_EQ(found.search_likelihood, plain->evaluate({&model, 1}, {}).at(0).search_likelihood);
    EXPECT_TRUE(found.gradient.empty());
}

}  // namespace
}  // namespace tessera::likelihood
