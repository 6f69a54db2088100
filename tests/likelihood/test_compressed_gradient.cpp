#include <gtest/gtest.h>

#include <cstddef>

#include "likelihood/model_values.hpp"
#include "likelihood/wedge_evaluator.hpp"
#include "point_sums.hpp"
#include "random_models.hpp"
#include "support/test_device.hpp"

namespace tessera::likelihood {
namespace {

/// Factors of the quadratic are densities (per magnitude): steps from 0 far below the halo's.
constexpr std::size_t first_quadratic = 5;
constexpr double small_density = 1e-12;

/// The gradient against central differences of brute force, number by number.
void expect_gradient(const StreamModel& model, std::span<const Star> stars) {
    const Evaluation result = make_compressed_evaluator(model, stars, {}, test_device().backend)
                                  ->evaluate({&model, 1}, {.gradient = true})
                                  .at(0);
    const std::vector<double> values = parameter_values(model);
    const std::vector<std::string> names = parameter_names(model.streams.size());
    ASSERT_EQ(result.gradient.size(), values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool quadratic = i >= first_quadratic && i < background_parameters;
        const double step = quadratic
                                ? (values[i] == 0 ? small_density : 1e-4 * std::abs(values[i]))
                                : 1e-5 * std::max(1.0, std::abs(values[i]));
        const auto at = [&](double offset) {
            std::vector<double> moved = values;
            moved[i] += offset;
            return test::PointSums(with_values(model, moved)).search_likelihood(stars);
        };
        // Fourth order, so that the difference itself is good to about 1e-11.
        const auto slope = static_cast<double>(
            (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step));
        EXPECT_NEAR(result.gradient[i], slope, 1e-8 * (1 + std::abs(slope))) << names[i];
    }
}

StreamModel small_model() {
    StreamModel model;
    model.wedge = 82;
    model.convolve = 30;
    model.background = {.epsilon = 0.8, .q = 0.6, .r0 = 13};
    model.streams = {{-2.5, 376, 27, 2.9, 2.4, 1.4}, {0.3, 390, 22, 0.86, 0.62, 4.7}};
    model.areas = {{{16, 22.5, 12}, {350, 400, 12}, {-1.25, 1.25, 6}},
                   {{16, 22, 8}, {360, 365, 4}, {-1.25, 0.5, 4}}};
    return model;
}

std::vector<Star> few_stars() {
    std::vector<Star> stars;
    for (int i = 0; i < 12; ++i) stars.push_back({90.0 + 7 * i, -60.0 + 2 * i, 8.0 + 2.5 * i});
    return stars;
}

TEST(CompressedGradient, IsThatOfTheClassicModel) { expect_gradient(small_model(), few_stars()); }

TEST(CompressedGradient, IsThatOfThe2018ModelWithTheQuadratic) {
    StreamModel model = small_model();
    model.model = io::Model::model2018;
    model.background.a = 1e-6;
    model.background.b = -2e-5;
    model.background.c = 5e-4;
    expect_gradient(model, few_stars());
}

TEST(CompressedGradient, IsThatOfGeneralExponents) {
    StreamModel model = small_model();
    model.background.alpha = 1.3;
    model.background.delta = 0.8;
    expect_gradient(model, few_stars());
}

}  // namespace
}  // namespace tessera::likelihood
