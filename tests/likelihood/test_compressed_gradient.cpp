// The compressed mode's analytic gradient against differences: of sums point by point in long
// double, and of the exact mode.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "gradient_models.hpp"
#include "likelihood/exact/differenced_evaluator.hpp"
#include "likelihood/model/wedge_evaluator.hpp"
#include "point_sums.hpp"
#include "support/test_device.hpp"

namespace tessera::likelihood {
namespace {

/// Factors of the quadratic are densities (per magnitude): steps from 0 far below the halo's.
constexpr std::size_t flattening = 1, radius = 2, first_quadratic = 5, first_of_shape = 8;
constexpr double small_density = 1e-14;

bool is_broken(const StreamModel& model) {
    return model.background.profile == io::Profile::broken_power_law ||
           model.background.profile == io::Profile::continuous_broken_power_law;
}

class CompressedGradient : public testing::TestWithParam<test::GradientModel> {
  protected:
    const StreamModel& model_ = GetParam().model;
    const std::vector<Star> stars_ = test::gradient_stars();
    const std::vector<double> values_ = parameter_values(model_);
    const std::vector<std::string> names_ = parameter_names(model_);

    std::vector<double> gradient() const {
        return make_compressed_evaluator(model_, stars_, {}, test_device().backend)
            ->evaluate({&model_, 1}, {.gradient = true})
            .at(0)
            .gradient;
    }

    double step(std::size_t i) const {
        if (i >= first_quadratic && i < first_of_shape)
            return values_[i] == 0 ? small_density : 1e-4 * std::abs(values_[i]);
        // A power law's sum jumps or has a kink where a point crosses the break.
        const bool of_shape = i == flattening || i == radius ||
                              (i >= first_of_shape && i < background_numbers(model_));
        if (is_broken(model_) && of_shape) return 1e-7;
        return 1e-5 * std::max(1.0, std::abs(values_[i]));
    }

    /// Fourth order, so that the difference itself is good to about 1e-11.
    double slope(std::size_t i) const {
        const double h = step(i);
        const auto at = [&](double offset) {
            std::vector<double> moved = values_;
            moved[i] += offset;
            return test::PointSums(with_values(model_, moved)).search_likelihood(stars_);
        };
        return static_cast<double>((8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h));
    }
};

TEST_P(CompressedGradient, IsThatOfSumsPointByPoint) {
    const std::vector<double> found = gradient();
    ASSERT_EQ(found.size(), values_.size());
    for (std::size_t i = 0; i < values_.size(); ++i) {
        const double expected = slope(i);
        EXPECT_NEAR(found[i], expected, 1e-8 * (1 + std::abs(expected))) << names_[i];
    }
}

TEST_P(CompressedGradient, IsThatOfDifferencesOfTheExactMode) {
    constexpr double noise = 1e-13;
    std::vector<Differenced> all;
    for (std::size_t i = 0; i < values_.size(); ++i) all.push_back({i, step(i) / std::cbrt(noise)});
    const auto exact = make_differenced_evaluator(
        make_exact_evaluator(model_, stars_, {}, test_device().backend), all, noise);
    const std::vector<double> expected =
        exact->evaluate({&model_, 1}, {.gradient = true}).at(0).gradient;
    const std::vector<double> found = gradient();
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_NEAR(found[i], expected[i], 1e-6 * (1 + std::abs(expected[i]))) << names_[i];
}

INSTANTIATE_TEST_SUITE_P(Models, CompressedGradient, testing::ValuesIn(test::gradient_models()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace tessera::likelihood
