#include "likelihood/fit/bootstrap.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "likelihood/model/random_stream.hpp"

namespace tessera::likelihood {

namespace {

/// Sets whose fitted coordinate is normal around the model with a deviation of 0.1. It notes what
/// it is asked.
class NormalRefitter : public Refitter {
  public:
    std::vector<Refit> refits(std::span<const Point> questions) override {
        largest_batch = std::max(largest_batch, questions.size());
        std::vector<Refit> found;
        for (const Point& question : questions) {
            RandomStream random{5, static_cast<std::uint64_t>(question.back())};
            found.push_back({-2, -2.1, true, {question[0] + 0.1 * random.normal()}});
        }
        return found;
    }
    std::size_t largest_batch = 0;
};

}  // namespace

TEST(Bootstrap, NumbersItsSetsAndSharesThemInBatches) {
    NormalRefitter refitter;
    std::int64_t last = 0;
    const auto found =
        bootstrap(refitter, {{0.4}, -2}, 2000, 0, [&](const FitProgress& now) { last = now.step; });
    ASSERT_EQ(found.size(), 2000U);
    EXPECT_EQ(last, 2000);
    EXPECT_EQ(refitter.largest_batch, static_cast<std::size_t>(sets_in_a_batch));
    std::vector<double> values;
    for (const Refit& refit : found) values.push_back(refit.at[0]);
    const BootstrapSummary summary = summary_of(values);
    // The error of a deviation of 2,000 normal numbers is 0.1 / sqrt(4000).
    EXPECT_NEAR(summary.standard_error, 0.1, 5 * 0.1 / std::sqrt(4000.0));
    EXPECT_NEAR(summary.lower[0], 0.3, 0.02);
    EXPECT_NEAR(summary.upper[0], 0.5, 0.02);
    EXPECT_NEAR(summary.lower[1], 0.2, 0.03);
    EXPECT_NEAR(summary.upper[1], 0.6, 0.03);
}

TEST(Bootstrap, QuantilesLieBetweenOrderedValues) {
    std::vector<double> values;
    for (int i = 100; i >= 0; --i) values.push_back(i);
    const BootstrapSummary summary = summary_of(values);
    EXPECT_NEAR(summary.lower[0], 50 - 34.1344746, 1e-6);
    EXPECT_NEAR(summary.upper[1], 50 + 47.7249868, 1e-6);
    EXPECT_NEAR(summary.standard_error, std::sqrt(101.0 * 102 / 12), 1e-9);
    EXPECT_TRUE(std::isnan(summary_of({3}).standard_error));
}

TEST(Bootstrap, RefitsSurviveAsNumbers) {
    std::vector<double> numbers;
    append_refit({-1.5, -1.75, true, {0.25, 0.5}}, numbers);
    append_refit({rejected, -3, false, {0, 1}}, numbers);
    const auto back = refits_of(numbers, 2);
    ASSERT_EQ(back.size(), 2U);
    EXPECT_EQ(back[0].value, -1.5);
    EXPECT_EQ(back[0].model_value, -1.75);
    EXPECT_TRUE(back[0].converged);
    EXPECT_EQ(back[0].at, (Point{0.25, 0.5}));
    EXPECT_EQ(back[1].value, rejected);
    EXPECT_FALSE(back[1].converged);
}

}  // namespace tessera::likelihood
