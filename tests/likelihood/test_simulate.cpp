#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "likelihood/simulate/simulate_places.hpp"
#include "plain_evaluator.hpp"
#include "simulated_stars.hpp"
#include "small_wedge.hpp"

namespace tessera::likelihood {

namespace {

constexpr int mu_bins = 6, depth_bins = 6;

/// Bin of mu and observed magnitude; areas of equal width.
int bin_of(const StreamModel& model, const Star& star) {
    const io::Area& area = model.areas.front();
    double mu = 0, nu = 0;
    StripeFrame(model.wedge)
        .coordinates(galactic_direction(star.l, star.b).unit, area.mu.min, mu, nu);
    const double magnitude = magnitude_at(star.r);
    EXPECT_TRUE(mu >= area.mu.min && mu <= area.mu.max) << mu;
    EXPECT_TRUE(nu > area.nu.min - 1e-9 && nu < area.nu.max + 1e-9) << nu;
    EXPECT_TRUE(magnitude > area.r.min - 1e-9 && magnitude < area.r.max + 1e-9) << magnitude;
    const double x = (mu - area.mu.min) / (area.mu.max - area.mu.min);
    const double y = (magnitude - area.r.min) / (area.r.max - area.r.min);
    return std::min(static_cast<int>(x * mu_bins), mu_bins - 1) * depth_bins +
           std::clamp(static_cast<int>(y * depth_bins), 0, depth_bins - 1);
}

/// Integrals of all components over one bin, by the published sums with fine steps.
test::PlainEvaluator::Sums bin_integrals(StreamModel model, int bin) {
    const io::Area whole = model.areas.front();
    const double mu = (whole.mu.max - whole.mu.min) / mu_bins;
    const double depth = (whole.r.max - whole.r.min) / depth_bins;
    const int i = bin / depth_bins, k = bin % depth_bins;
    model.convolve = 60;
    model.areas = {{{whole.r.min + k * depth, whole.r.min + (k + 1) * depth, 12},
                    {whole.mu.min + i * mu, whole.mu.min + (i + 1) * mu, 10},
                    {whole.nu.min, whole.nu.max, 2}}};
    return test::PlainEvaluator(model, {}).integrals(model, 0);
}

/// Chi-square of the stars of one component over its bins, per degree of freedom; bins with less
/// than ten expected stars are left out.
void expect_distribution(const StreamModel& model, const std::vector<SimulatedStar>& stars,
                         const std::vector<test::PlainEvaluator::Sums>& integrals,
                         std::size_t component) {
    std::vector<double> counts(integrals.size(), 0);
    double all = 0, sum = 0;
    for (const auto& one : stars)
        if (one.component == static_cast<int>(component)) {
            ++counts[static_cast<std::size_t>(bin_of(model, one.star))];
            ++all;
        }
    for (const auto& bin : integrals) sum += bin[component][0];
    double chi2 = 0;
    int bins = 0;
    for (std::size_t b = 0; b < counts.size(); ++b) {
        const double expected = all * integrals[b][component][0] / sum;
        if (expected < 10) continue;
        chi2 += (counts[b] - expected) * (counts[b] - expected) / expected;
        ++bins;
    }
    ASSERT_GT(bins, 10) << component;
    // Mean bins - 1 and standard deviation sqrt(2 (bins - 1)).
    EXPECT_LT(chi2, bins - 1 + 4.5 * std::sqrt(2.0 * (bins - 1))) << "component " << component;
}

void expect_simulation_follows(const StreamModel& model) {
    const std::int64_t number = 60000;
    const auto stars = simulate_stars(model, number, 5);
    std::vector<test::PlainEvaluator::Sums> integrals;
    for (int bin = 0; bin < mu_bins * depth_bins; ++bin)
        integrals.push_back(bin_integrals(model, bin));
    double weights = 1;
    for (const auto& stream : model.streams) weights += std::exp(stream.epsilon);
    for (std::size_t k = 0; k <= model.streams.size(); ++k) {
        expect_distribution(model, stars, integrals, k);
        const double share = (k == 0 ? 1 : std::exp(model.streams[k - 1].epsilon)) / weights;
        const auto count = std::ranges::count_if(
            stars, [&](const auto& one) { return one.component == static_cast<int>(k); });
        EXPECT_NEAR(static_cast<double>(count), static_cast<double>(number) * share,
                    4 * std::sqrt(static_cast<double>(number) * share * (1 - share)));
    }
}

}  // namespace

TEST(Simulate, StarsAreSpreadAsTheIntegralsSayModelOf2018) {
    StreamModel model = test::small_wedge();
    model.streams.push_back({-1.5, 10, 35, 1.0, -0.7, 8.0});
    expect_simulation_follows(model);
}

TEST(Simulate, StarsAreSpreadAsTheIntegralsSayTwoSidedTurnoff) {
    StreamModel model = test::small_wedge();
    model.turnoff = io::Turnoff::newby2011;
    expect_simulation_follows(model);
}

TEST(Simulate, StarsAreSpreadAsTheIntegralsSayClassicModel) {
    StreamModel model = test::small_wedge();
    model.model = io::Model::classic;
    model.background.epsilon = 0;
    model.background.r0 = 15;
    model.wedge = 11;
    model.areas = {{{16, 23, 30}, {150, 229, 20}, {-1.25, 1.25, 2}}};
    model.streams = {{-0.5, 180, 20, 1.3, 2.0, 2.5}};
    expect_simulation_follows(model);
}

TEST(Simulate, CutsHoldNoStarsAndTakeNoneFromElsewhere) {
    StreamModel model = test::small_wedge();
    const io::Area cut{{18, 21, 10}, {360 + 20, 360 + 40, 10}, {-1.25, 0.5, 2}};
    model.areas.push_back(cut);
    const auto stars = simulate_stars(model, 20000, 3);
    model.areas.pop_back();
    const auto uncut = simulate_stars(model, 20000, 3);
    const auto in_cut = [&](const SimulatedStar& one) {
        double mu = 0, nu = 0;
        StripeFrame(82).coordinates(galactic_direction(one.star.l, one.star.b).unit, 0, mu, nu);
        const double g = magnitude_at(one.star.r);
        return g > 18 && g < 21 && mu > 20 && mu < 40 && nu < 0.5;
    };
    EXPECT_EQ(std::ranges::count_if(stars, in_cut), 0);
    EXPECT_GT(std::ranges::count_if(uncut, in_cut), 500);
    // A star that the cut does not meet at its first try is the same star.
    std::size_t same = 0, kept = 0;
    for (std::size_t i = 0; i < stars.size(); ++i) {
        if (in_cut(uncut[i])) continue;
        ++kept;
        same += stars[i].star.l == uncut[i].star.l && stars[i].star.r == uncut[i].star.r;
    }
    EXPECT_EQ(same, kept);
}

TEST(Simulate, AStarDependsOnSeedAndNumberAlone) {
    const StreamModel model = test::small_wedge();
    const auto many = simulate_stars(model, 300, 9), few = simulate_stars(model, 20, 9),
               other = simulate_stars(model, 20, 10);
    for (std::size_t i = 0; i < few.size(); ++i) {
        EXPECT_EQ(many[i].star.l, few[i].star.l);
        EXPECT_EQ(many[i].star.r, few[i].star.r);
        EXPECT_NE(many[i].star.r, other[i].star.r);
    }
}

TEST(Simulate, PartsAreThoseOfTheWhole) {
    const StreamModel model = test::small_wedge();
    const auto whole = simulate_stars(model, 40, 3);
    const StarDrawer drawer(model, 3);
    const auto part = drawer.draw(17, 23);
    ASSERT_EQ(part.size(), 23u);
    for (std::size_t i = 0; i < part.size(); ++i) {
        EXPECT_EQ(part[i].star.l, whole[17 + i].star.l);
        EXPECT_EQ(part[i].star.r, whole[17 + i].star.r);
        EXPECT_EQ(part[i].component, whole[17 + i].component);
    }
}

TEST(Simulate, AnAuxiliaryBackgroundIsDrawnOrRefusedWhereNegative) {
    StreamModel model = test::small_wedge();
    model.streams.clear();
    model.background.a = 1e-6;
    model.background.b = -36e-6;
    model.background.c = 330e-6;
    EXPECT_EQ(simulate_stars(model, 100, 1).size(), 100u);
    model.background.c = -1;
    EXPECT_THROW(simulate_stars(model, 100, 1), Error);
}

TEST(Simulate, ACutThatLeavesNothingIsToldAndNotSearchedForEver) {
    StreamModel model = test::small_wedge();
    model.areas.push_back({{0, 40, 2}, {-180, 180, 2}, {-90, 90, 2}});
    EXPECT_THROW(simulate_stars(model, 100000, 1), Error);
}

TEST(Simulate, AStreamFarFromTheWedgeIsRefused) {
    StreamModel model = test::small_wedge();
    // Parallel to the stripe's plane, out of it by more than any of its stars.
    model.streams[0] = {5, 30, 400, 2.1, 0.5, 0.5};
    EXPECT_THROW(simulate_stars(model, 10, 1), Error);
}

}  // namespace tessera::likelihood
