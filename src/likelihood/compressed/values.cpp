#include "likelihood/compressed/values.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "io/streams/stream_profiles.hpp"
#include "likelihood/model/combine.hpp"
#include "likelihood/model/disks.hpp"
#include "likelihood/model/halo.hpp"
#include "likelihood/model/wedge_geometry.hpp"

namespace tessera::likelihood {

namespace {

using kernels::compressed::BackgroundValues;
using kernels::compressed::StreamValues;

constexpr double seen_above = 1e-15;  // W p / I below this counts as -241 in the application

void set(double* to, Vec3 v) {
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

/// A turn of the halo about an axis changes rg by its factor times the product of the two other
/// coordinates of to_axes.
void set_axes(const kernels::Halo& halo, BackgroundValues& values) {
    const double p = halo.p, q = halo.q;
    values.triaxial = true;
    values.p = p;
    for (std::size_t i = 0; i < 9; ++i) values.to_axes[i] = halo.to_axes[i / 3][i % 3];
    values.turn[0] = p / q - q / p;
    values.turn[1] = q - 1 / q;
    values.turn[2] = 1 / p - p;
}

double sum_of(const std::vector<double>& weights) {
    return std::accumulate(weights.begin(), weights.end(), 0.0);
}

/// Derivative of the direction (mu, nu = 0) of the stripe, per degree.
Vec3 direction_by_mu(double mu, const std::array<Vec3, 3>& frame) {
    const double m = mu * std::numbers::pi / 180, c = std::cos(m), s = std::sin(m);
    const Vec3 v = c * frame[0] + s * frame[1], by_m = c * frame[1] - s * frame[0];
    const Vec3 e = (1 / norm(v)) * v;
    return (std::numbers::pi / 180 / norm(v)) * (by_m - dot(e, by_m) * e);
}

}  // namespace

BackgroundValues background_values(const StreamModel& model,
                                   const std::array<double, 3>& auxiliary) {
    const io::Background& b = model.background;
    BackgroundValues values;
    const kernels::Halo halo = halo_of(model);
    values.profile = halo.profile;
    values.q = b.q;
    values.alpha = b.alpha;
    values.delta = b.profile == io::Profile::nfw ? 0 : b.delta;
    values.r0 = halo.core;
    values.log_scale =
        std::log(halo.profile == kernels::HaloProfile::einasto ? halo.core : halo.scale);
    if (io::background_depends_on(model, "a")) {
        values.a = b.a;
        values.b = b.b;
        values.c = b.c;
    }
    if (has_disk(model)) {
        values.halo = b.epsilon;
        values.disk = 1 - b.epsilon;
    }
    const Disks disks = disks_of(model);
    if (model.background.has_disks()) values.disk = 1;
    std::ranges::copy(disks, values.disks);
    values.auxiliary_integral =
        values.halo * (values.c * auxiliary[0] + values.b * auxiliary[1] + values.a * auxiliary[2]);
    if (halo.triaxial) set_axes(halo, values);
    const std::vector<double> weights = component_weights(model);
    values.fraction = weights[0] / sum_of(weights);
    values.floor = seen_above / sum_of(weights);
    return values;
}

StreamValues stream_values(const StreamModel& model, std::size_t stream,
                           const std::array<Vec3, 3>& frame) {
    const io::Stream& s = model.streams[stream];
    StreamValues values{};
    values.sigma = s.sigma;
    const std::vector<double> weights = component_weights(model);
    values.fraction = weights[1 + stream] / sum_of(weights);
    if (s.has_track()) return values;
    const double sin_theta = std::sin(s.theta), cos_theta = std::cos(s.theta);
    const double sin_phi = std::sin(s.phi), cos_phi = std::cos(s.phi);
    const Vec3 towards = direction(model.wedge, s.mu, 0).unit;
    set(values.axis, {sin_theta * cos_phi, sin_theta * sin_phi, cos_theta});
    set(values.axis_theta, {cos_theta * cos_phi, cos_theta * sin_phi, -sin_theta});
    set(values.axis_phi, {-sin_theta * sin_phi, sin_theta * cos_phi, 0});
    set(values.centre, s.r * towards);
    set(values.centre_r, towards);
    set(values.centre_mu, s.r * direction_by_mu(s.mu, frame));
    return values;
}

}  // namespace tessera::likelihood
