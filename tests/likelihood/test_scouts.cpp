#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <utility>

#include "likelihood/sample/scouts.hpp"
#include "several_hills.hpp"
#include "small_wedge.hpp"

namespace tessera::likelihood {

namespace {

using LogOf = std::function<Density(const Point&)>;  // of the free parameters, with its gradient

constexpr double pi = std::numbers::pi;

/// Streams with a posterior that a test makes up. Unless the settings say otherwise, only the axis
/// of the first one is free.
class MadeUp {
  public:
    explicit MadeUp(LogOf log, io::FitSettings settings = {}) : log_(std::move(log)) {
        if (settings.free.empty()) settings.free = {"stream1.theta", "stream1.phi"};
        StreamModel model = test::small_wedge();
        model.streams.push_back({-1.5, 40, 20, 1.1, 0.9, 2.0});
        space_ = std::make_unique<StreamSpace>(model, free_parameters(model, settings));
        std::vector<Prior> priors;
        const auto all = complete_priors({}, space_->free());
        for (std::size_t i = 0; i < all.size(); ++i)
            priors.emplace_back(all[i], space_->free()[i], space_->goes_round(i));
        posterior_ = std::make_unique<Posterior>(*space_, priors, 1);
    }

    std::vector<FoundHill> scouted(double theta, double phi, const ScoutPlan& plan) {
        return scouted(Point{theta / pi, phi / (2 * pi) + 0.5}, plan);
    }

    std::vector<FoundHill> scouted(const Point& top, const ScoutPlan& plan) {
        const auto densities = [&](const std::vector<Point>& lines) {
            std::vector<Density> found;
            for (const Point& line : lines)
                found.push_back(posterior_->density(line, slope(posterior_->cube(line))));
            return found;
        };
        const auto slopes = [&](const std::vector<Point>& cubes) {
            std::vector<Slope> found;
            for (const Point& cube : cubes) found.push_back(slope(cube));
            climbed_ += std::ssize(cubes);
            return found;
        };
        const Summit first = find_summit(posterior_->line(top), densities);
        return scout_hills({*posterior_, slopes, densities, densities}, top, first, plan);
    }

    const StreamSpace& space() const { return *space_; }
    std::int64_t climbed() const { return climbed_; }

  private:
    Slope slope(const Point& cube) const {
        const Density here = log_(space_->values(cube));
        Slope slope{here.log, here.gradient};
        for (std::size_t i = 0; i < cube.size(); ++i)
            slope.gradient[i] *= space_->free()[i].width();
        return slope;
    }

    LogOf log_;
    std::unique_ptr<StreamSpace> space_;
    std::unique_ptr<Posterior> posterior_;
    std::int64_t climbed_ = 0;
};

}  // namespace

TEST(Scouts, FindTheOtherDirectionOfAStream) {
    MadeUp axis(test::TwoAxes{});
    const auto hills = axis.scouted(1.2, 0, {4, 3000});
    ASSERT_EQ(hills.size(), 2u);
    EXPECT_LE(axis.climbed(), 3000);
    // Newton's steps end within 0.01 of the highest log density. The coordinates are twice theta,
    // and phi + pi. By hand: the curvature of 30 (a.b)^2 is 60 in theta and 60 sin^2 theta in phi.
    const auto& other = hills[0].at[0] < 2 ? hills[0] : hills[1];
    const auto& first = hills[0].at[0] < 2 ? hills[1] : hills[0];
    EXPECT_NEAR(other.at[0], 2 * 0.6, 0.04);
    EXPECT_NEAR(other.at[1], pi / 2 + pi, 0.04);
    EXPECT_NEAR(other.covariance(0, 0), 4 / 60.0, 3e-3);
    EXPECT_NEAR(other.covariance(1, 1), 1 / (60 * std::pow(std::sin(0.6), 2)), 3e-3);
    EXPECT_NEAR(other.log_density - first.log_density, std::log(0.7), 0.02);
    const double volumes = std::log(24 * std::sin(1.2) / (60 * std::sin(0.6)));
    EXPECT_NEAR(other.log_weight - first.log_weight, std::log(0.7) + volumes, 0.03);
    EXPECT_GE(hills[0].log_weight, hills[1].log_weight);
}

TEST(Scouts, FindADirectionWhoseTopLiesAtBoundsOfOtherParameters) {
    // The density grows towards a bound of three parameters, where unbounded coordinates are
    // infinite and their density is zero.
    constexpr double growth = 18;  // from bound to bound
    io::FitSettings settings;
    settings.free = {"stream1.mu", "stream1.r", "stream1.theta", "stream1.phi", "stream1.sigma"};
    settings.bounds = {{"stream1.mu", 0.0, 60.0, "", ""},
                       {"stream1.r", 10.0, 40.0, "", ""},
                       {"stream1.sigma", 1.0, 9.0, "", ""}};
    MadeUp rising(
        [](const Point& at) {
            const Density axis = test::TwoAxes{}({at[2], at[3]});
            return Density{
                axis.log + growth * (at[0] / 60 + at[1] / 30 + at[4] / 8),
                {growth / 60, growth / 30, axis.gradient[0], axis.gradient[1], growth / 8},
                0};
        },
        settings);
    ASSERT_EQ(rising.space().free()[2].name, "stream1.theta");
    const auto hills = rising.scouted({1, 1, 1.2 / pi, 0.5, 1}, {4, 3000});
    ASSERT_EQ(hills.size(), 2u);
    EXPECT_NEAR(std::abs(hills[0].at[2] - hills[1].at[2]), 2 * (1.2 - 0.6), 0.08);
    // By hand: with the share s = sigma(y), exp(18 s) s (1 - s) is highest where
    // 18 s (1 - s) = 2 s - 1, which is at s = 0.9475.
    for (const FoundHill& hill : hills)
        for (const std::size_t i : {0, 1, 4})
            EXPECT_NEAR(1 / (1 + std::exp(-hill.at[i])), 0.9475, 0.003);
}

TEST(Scouts, CombineTheDirectionsOfTwoStreams) {
    io::FitSettings settings;
    settings.free = {"stream1.theta", "stream1.phi", "stream2.theta", "stream2.phi"};
    MadeUp two(
        [](const Point& at) {
            Density density = test::TwoAxes{}({at[0], at[1]});
            const Density other = test::TwoAxes{}({at[2], at[3]});
            density.log += other.log;
            density.gradient.insert(density.gradient.end(), other.gradient.begin(),
                                    other.gradient.end());
            return density;
        },
        settings);
    ASSERT_EQ(two.space().free()[2].name, "stream2.theta");
    const auto hills = two.scouted({1.2 / pi, 0.5, 1.2 / pi, 0.5}, {4, 9000});
    ASSERT_EQ(hills.size(), 4u);
    // Each combination occurs once. The coordinates of theta are 2.4 and 1.2.
    int seen = 0;
    for (const FoundHill& hill : hills)
        seen |= 1 << ((hill.at[0] < 1.8 ? 1 : 0) + (hill.at[2] < 1.8 ? 2 : 0));
    EXPECT_EQ(seen, 15);
}

TEST(Scouts, KeepNoMoreHillsAndTakeNoMoreGradientsThanTheyMay) {
    MadeUp one(test::TwoAxes{}), poor(test::TwoAxes{});
    EXPECT_EQ(one.scouted(1.2, 0, {1, 3000}).size(), 1u);
    EXPECT_EQ(poor.scouted(1.2, 0, {4, 399}).size(), 1u);  // too few for four climbs
    EXPECT_EQ(poor.climbed(), 0);
}

TEST(Scouts, FindNothingOnOneHillWithAShoulder) {
    // A wide hill upon which a narrow one stands: there are two bends, but no dip between them.
    test::TwoAxes shoulder;
    shoulder.second = {std::sin(1.35), 0, std::cos(1.35)};
    shoulder.narrowness = 5;
    shoulder.of_second = 40;
    MadeUp axis(shoulder);
    EXPECT_EQ(axis.scouted(1.3, 0, {4, 3000}).size(), 1u);
    EXPECT_GT(axis.climbed(), 100);
}

TEST(Scouts, TiltAnAxisByUpToAQuarterOfATurnWithinItsBounds) {
    MadeUp free(test::TwoAxes{});
    io::FitSettings settings;
    settings.bounds = {{"stream1.theta", 1.0, 1.4, "", ""}, {"stream1.phi", -0.3, 0.5, "", ""}};
    MadeUp narrow(test::TwoAxes{}, settings);
    const auto axis_at = [](const StreamSpace& space, const Point& point) {
        const auto at = space.values(point);
        return Point{std::sin(at[0]) * std::cos(at[1]), std::sin(at[0]) * std::sin(at[1]),
                     std::cos(at[0])};
    };
    const Point start{0.5, 0.5};
    double least = 1, most = -1;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        RandomStream random{seed}, same{seed};
        const Point tilted = with_tilted_axis(free.space(), start, 0, 1, random);
        const double cosine =
            std::abs(dot(axis_at(free.space(), start), axis_at(free.space(), tilted)));
        least = std::min(least, cosine);
        most = std::max(most, cosine);
        for (const double x : with_tilted_axis(narrow.space(), start, 0, 1, same)) {
            EXPECT_GE(x, 0);
            EXPECT_LE(x, 1);
        }
    }
    EXPECT_LT(least, 0.1);
    EXPECT_GT(most, 0.99);
}

}  // namespace tessera::likelihood
