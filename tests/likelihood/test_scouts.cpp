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

using LogOfAxis = std::function<Density(const Point&)>;  // of theta and phi, with its gradient

constexpr double pi = std::numbers::pi;

/// A stream of which only the axis is free, with a posterior that a test makes up.
class OneAxis {
  public:
    explicit OneAxis(LogOfAxis log, io::FitSettings settings = {}) : log_(std::move(log)) {
        settings.free = {"stream1.theta", "stream1.phi"};
        const StreamModel model = test::small_wedge();
        space_ = std::make_unique<StreamSpace>(model, free_parameters(model, settings));
        std::vector<Prior> priors;
        const auto all = complete_priors({}, space_->free());
        for (std::size_t i = 0; i < 2; ++i)
            priors.emplace_back(all[i], space_->free()[i], space_->goes_round(i));
        posterior_ = std::make_unique<Posterior>(*space_, priors, 1);
    }

    std::vector<FoundHill> scouted(double theta, double phi, const ScoutPlan& plan) {
        const Point top{theta / pi, phi / (2 * pi) + 0.5};
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
        const Density here = log_({pi * cube[0], 2 * pi * cube[1] - pi});
        return {here.log, {pi * here.gradient[0], 2 * pi * here.gradient[1]}};
    }

    LogOfAxis log_;
    std::unique_ptr<StreamSpace> space_;
    std::unique_ptr<Posterior> posterior_;
    std::int64_t climbed_ = 0;
};

}  // namespace

TEST(Scouts, FindTheOtherDirectionOfAStream) {
    OneAxis axis(test::TwoAxes{});
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

TEST(Scouts, KeepNoMoreHillsAndTakeNoMoreGradientsThanTheyMay) {
    OneAxis one(test::TwoAxes{}), poor(test::TwoAxes{});
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
    OneAxis axis(shoulder);
    EXPECT_EQ(axis.scouted(1.3, 0, {4, 3000}).size(), 1u);
    EXPECT_GT(axis.climbed(), 100);
}

TEST(Scouts, TiltAnAxisByUpToAQuarterOfATurnWithinItsBounds) {
    OneAxis free(test::TwoAxes{});
    io::FitSettings settings;
    settings.bounds = {{"stream1.theta", 1.0, 1.4, "", ""}, {"stream1.phi", -0.3, 0.5, "", ""}};
    OneAxis narrow(test::TwoAxes{}, settings);
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
