// Streams that fall between the points of the quadrature: those that are warned of are wrong, and
// the others are right, compared with many more points.
#include "likelihood/model/thin_streams.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "plain_evaluator.hpp"
#include "small_wedge.hpp"

namespace tessera::likelihood {
namespace {

constexpr double degree = std::numbers::pi / 180;

/// A stream along an axis of the sky at its place, so many spacings of the points thick.
StreamModel thin_model(std::size_t axis, double sigmas) {
    StreamModel model = test::small_wedge();
    model.areas[0].nu.steps = 8;
    const StripeAxes stripe = stripe_axes(model.wedge);
    io::Stream& s = model.streams[0];
    s.r = 20;
    const double m = (s.mu - survey_node) * degree;
    const Vec3 along =
        axis == 0 ? stripe.axes[2] : std::cos(m) * stripe.axes[1] - std::sin(m) * stripe.axes[0];
    s.theta = std::acos(along.z / norm(along));
    s.phi = std::atan2(along.y, along.x);
    s.sigma = 1;
    s.sigma = sigmas * point_spacings(model, 0)[axis].kpc;
    return model;
}

/// Largest relative error of the density at stars around the axis of the stream.
double error_at_stars(const StreamModel& model) {
    StreamModel fine = model;
    fine.convolve = 256;
    const LineOfSight coarse_line(model, gauss_legendre_rule(model.convolve)),
        fine_line(fine, gauss_legendre_rule(fine.convolve));
    const test::PlainDensity density(model);
    double most = 0;
    for (int i = 0; i < 40; ++i) {
        const Vec3 towards = direction(model.wedge, model.streams[0].mu, 0).unit;
        const auto seen = [&](const LineOfSight& line) {
            RadialNodes nodes;
            line.append(model.streams[0].r * (0.8 + 0.01 * i), 1, nodes);
            test::PlainEvaluator::Sums sums(2);
            for (std::size_t k = 0; k < nodes.radius.size(); ++k)
                density.add(galactic_position({towards, 0, 0}, nodes.radius[k]), nodes.weight[k],
                            sums);
            return sums[1][0];
        };
        most = std::max(most, std::abs(seen(coarse_line) / seen(fine_line) - 1));
    }
    return most;
}

/// Relative error of the integral, compared with eight times the steps of nu.
double error_of_integral(StreamModel model) {
    model.areas[0] = {{19, 22, 16}, {28, 32, 4}, model.areas[0].nu};
    const auto integral = [&] { return test::PlainEvaluator(model, {}).integrals(model, 0)[1][0]; };
    const double coarse = integral();
    model.areas[0].nu.steps *= 8;
    return std::abs(coarse / integral() - 1);
}

bool is_warned_of(const StreamModel& model, const std::string& words) {
    const auto warnings = thin_stream_warnings(model, "thin.toml");
    return warnings.size() == 1 && warnings[0].find(words) != std::string::npos;
}

TEST(ThinStreams, AreWrongAlongTheLineOfSight) {
    const StreamModel thin = thin_model(0, 0.35), enough = thin_model(0, 0.55);
    EXPECT_TRUE(is_warned_of(thin, "convolve = ")) << thin.streams[0].sigma;
    EXPECT_GT(error_at_stars(thin), 0.02);
    EXPECT_LT(error_at_stars(enough), 0.01);
    EXPECT_FALSE(is_warned_of(enough, "convolve = "));
}

TEST(ThinStreams, AreWrongAcrossTheStripe) {
    StreamModel thin = thin_model(2, 0.3), enough = thin_model(2, 0.6);
    EXPECT_TRUE(is_warned_of(thin, "steps of nu = "));
    EXPECT_FALSE(is_warned_of(enough, "steps of nu = "));
    thin.convolve = enough.convolve = 200;
    EXPECT_GT(error_of_integral(thin), 0.02);
    EXPECT_LT(error_of_integral(enough), 0.01);
}

TEST(ThinStreams, TheAdviceSilencesTheWarning) {
    StreamModel model = thin_model(0, 0.2);
    for (const PointSpacing& one : point_spacings(model, 0)) {
        if (!one.is_coarse()) continue;
        if (one.points == "convolve") model.convolve = one.needed + one.needed % 2;
        if (one.points == "steps of mu") model.areas[0].mu.steps = one.needed;
        if (one.points == "steps of nu") model.areas[0].nu.steps = one.needed;
    }
    EXPECT_GT(model.convolve, 30);
    EXPECT_TRUE(thin_stream_warnings(model, "thin.toml").empty());
    model.streams[0].sigma = 0.01;
    EXPECT_TRUE(is_warned_of(model, "convolve = 256 (the largest there is; "));
    model.streams[0].sigma = 3;
    EXPECT_TRUE(thin_stream_warnings(model, "thin.toml").empty());
}

}  // namespace
}  // namespace tessera::likelihood
