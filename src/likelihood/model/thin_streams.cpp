#include "likelihood/model/thin_streams.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/units.hpp"
#include "likelihood/model/combine.hpp"
#include "likelihood/model/track.hpp"
#include "likelihood/model/wedge_geometry.hpp"

namespace tessera::likelihood {

namespace {

/// A Gaussian that is summed at points h apart is off by up to 2 exp(-2 (pi sigma / h)^2), which is
/// 1.4 % at this ratio of sigma to h.
constexpr double fewest_sigma = 0.5;

constexpr double convolution_half_width = 1.8;  // of the convolution, mag
constexpr int most_convolve = 256;              // that a parameter file may have
constexpr double most_steps = 1e6;

constexpr const char* along_sight = "convolve";

/// "steps of mu = 320". convolve is even, and limited.
std::string advice(const PointSpacing& one) {
    if (one.points != along_sight) return fmt::format("{} = {}", one.points, one.needed);
    const int even = one.needed + one.needed % 2;
    if (even <= most_convolve) return fmt::format("{} = {}", one.points, even);
    return fmt::format("{} = {} (the largest there is; {} would do)", one.points, most_convolve,
                       even);
}

/// A place of a stream, seen from the Sun, and its axis there.
struct SeenAxis {
    Vec3 sight;
    double r;
    Vec3 axis;
};

/// Where a straight stream crosses nu = 0, or where a track comes nearest to the direction of the
/// middle of the wedge.
SeenAxis middle_of(const StreamModel& model, const io::Stream& s) {
    if (!s.has_track())
        return {direction(model.wedge, s.mu, 0).unit, s.r, cylinder(s, model.wedge).axis};
    constexpr double farthest = 100;  // kpc along the straight ends
    constexpr int samples = 64;
    const io::Area& wedge = model.areas.front();
    const Vec3 middle =
        direction(model.wedge, (wedge.mu.min + wedge.mu.max) / 2, (wedge.nu.min + wedge.nu.max) / 2)
            .unit;
    SeenAxis best{middle, 1, middle};
    double nearest = -2;
    for (const kernels::TrackPiece& piece : track_pieces(s))
        for (int i = 0; i <= samples; ++i) {
            const double low = std::max(piece.first, -farthest);
            const double t = low + i * (std::min(piece.last, farthest) - low) / samples;
            double at[3], along[3];
            piece.place.at(t, at);
            kernels::track_tangent(piece, t, along);
            const Vec3 place{at[0], at[1], at[2]};
            const double r = norm(place), towards = r > 0 ? dot(place, middle) / r : -1;
            if (towards <= nearest) continue;
            nearest = towards;
            best = {(1 / r) * place, r, {along[0], along[1], along[2]}};
        }
    return best;
}

/// Standard deviation of a cylinder along a direction.
double width_along(const Vec3& direction, const Vec3& axis, double sigma) {
    const double across = norm(direction - dot(direction, axis) * axis);
    return sigma / std::max(across, 1e-12);
}

}  // namespace

bool PointSpacing::is_coarse() const { return stream < fewest_sigma * kpc; }

std::vector<PointSpacing> point_spacings(const StreamModel& model, std::size_t stream) {
    const io::Stream& s = model.streams[stream];
    const io::Area& wedge = model.areas.front();
    const auto [sight, r, axis] = middle_of(model, s);
    const StripeAxes stripe = stripe_axes(model.wedge);
    const double m = std::atan2(dot(sight, stripe.axes[1]), dot(sight, stripe.axes[0]));
    const Vec3 by_mu = std::cos(m) * stripe.axes[1] - std::sin(m) * stripe.axes[0];
    std::vector<PointSpacing> found;
    const auto add = [&, axis = axis](const char* points, const Vec3& towards, double range,
                                      int count) {
        const double width = width_along(towards, axis, std::abs(s.sigma));
        const double needed = std::min(most_steps, std::ceil(fewest_sigma * range / width));
        found.push_back({points, range / count, width, static_cast<int>(needed)});
    };
    // Gauss-Legendre nodes on [-1, 1] are pi / n apart at their widest, in the middle.
    add(along_sight, sight,
        r * (std::numbers::ln10 / 5) * convolution_half_width * std::numbers::pi, model.convolve);
    add("steps of mu", by_mu, r * (wedge.mu.max - wedge.mu.min) * units::degree, wedge.mu.steps);
    add("steps of nu", stripe.axes[2], r * (wedge.nu.max - wedge.nu.min) * units::degree,
        wedge.nu.steps);
    return found;
}

std::vector<std::string> thin_stream_warnings(const StreamModel& model, const std::string& wedge) {
    std::vector<std::string> warnings;
    for (std::size_t k = 0; k < model.streams.size(); ++k) {
        if (!(std::abs(model.streams[k].sigma) > smallest_sigma)) continue;  // refused elsewhere
        std::string coarse, needed;
        for (const PointSpacing& one : point_spacings(model, k)) {
            if (!one.is_coarse()) continue;
            coarse +=
                fmt::format("{}{:.3g} kpc by {}", coarse.empty() ? "" : ", ", one.kpc, one.points);
            needed += (needed.empty() ? "" : " and ") + advice(one);
        }
        if (!coarse.empty())
            warnings.push_back(fmt::format(
                "warning: stream {} of '{}' may fall between the points of the quadrature (its "
                "sigma is {:.3g} kpc, and at its distance they are apart {}): use at least {}, or "
                "the likelihood is wrong",
                k + 1, wedge, std::abs(model.streams[k].sigma), coarse, needed));
    }
    return warnings;
}

}  // namespace tessera::likelihood
