#include "likelihood/model/disks.hpp"

#include <cmath>
#include <numbers>

#include "io/streams/stream_profiles.hpp"
#include "likelihood/model/halo.hpp"
#include "likelihood/model/wedge_geometry.hpp"

namespace tessera::likelihood {

namespace {

using kernels::Halo;
using kernels::HaloProfile;

constexpr Vec3 sun{-sun_r0, 0, 0};

double radius_of_sun(const Halo& halo) {
    return halo.triaxial ? norm(halo.to_axes * sun) : sun_r0;  // Z is 0
}

kernels::ExponentialDisk disk(double at_sun, double share, double length, double height) {
    const double unit = at_sun * std::exp(sun_r0 / length);
    return {unit, share * unit, 1 / length, 1 / height};
}

/// Derivatives of the logarithm of the density, at fixed rg and by rg.
struct LogSlopes {
    double r0 = 0, alpha = 0, delta = 0, rg = 0;
};

LogSlopes log_slopes(const StreamModel& model, const Halo& halo, double rg) {
    if (halo.profile == HaloProfile::einasto) {
        const double alpha = halo.inner, x = rg / halo.core, power = std::pow(x, alpha);
        return {2 * power / halo.core,
                2 * (power - 1) / (alpha * alpha) - 2 * power * std::log(x) / alpha, 0,
                -2 * power / rg};
    }
    if (halo.profile == HaloProfile::broken_power_law) {
        const bool inside = rg < halo.core;
        const double power = inside ? halo.inner : halo.outer, log = std::log(halo.scale / rg);
        return {power / halo.scale, inside ? log : 0, inside ? 0 : log, -power / rg};
    }
    const double core = rg + halo.core;
    const bool nfw = model.background.profile == io::Profile::nfw;
    return {-halo.outer / core, std::log(core / rg), nfw ? 0 : -std::log(core),
            -halo.inner / rg - halo.outer / core};
}

/// d rg / d p and by turns about the axes of the halo, then by yaw, pitch and roll.
void add_shape_slopes(const StreamModel& model, const Halo& halo, double rg, double by_rg,
                      std::vector<double>& slopes) {
    const Vec3 at = halo.to_axes * sun;
    const double p = halo.p, q = halo.q;
    const Vec3 turns{-at.y * at.z * (p / q - q / p) / rg, -at.z * at.x * (q - 1 / q) / rg,
                     -at.x * at.y * (1 / p - p) / rg};
    slopes[1] = by_rg * -at.z * at.z / (q * rg);
    slopes.push_back(by_rg * -at.y * at.y / (p * rg));
    for (const Vec3& axis : turning_axes(model.background))
        slopes.push_back(by_rg * std::numbers::pi / 180 * dot(axis, turns));
}

}  // namespace

double halo_at_sun(const StreamModel& model) {
    const Halo halo = halo_of(model);
    return halo_density(halo, radius_of_sun(halo));
}

Disks disks_of(const StreamModel& model) {
    const io::Background& b = model.background;
    Disks disks;
    if (!b.has_disks()) return disks;
    const double at_sun = halo_at_sun(model);
    if (b.thin_disk) disks[0] = disk(at_sun, b.thin, b.thin_length, b.thin_height);
    if (b.thick_disk) disks[1] = disk(at_sun, b.thick, b.thick_length, b.thick_height);
    return disks;
}

double disk_density(const Disks& disks, const Vec3& position) {
    const double out = std::hypot(position.x, position.y), height = std::abs(position.z);
    double density = 0;
    for (const kernels::ExponentialDisk& one : disks)
        density += one.factor * std::exp(-one.in_plane * out - one.across * height);
    return density;
}

std::vector<double> halo_at_sun_slopes(const StreamModel& model) {
    const Halo halo = halo_of(model);
    const double rg = radius_of_sun(halo);
    const LogSlopes by = log_slopes(model, halo, rg);
    const auto if_counts = [&](const char* key, double slope) {
        return io::background_depends_on(model, key) ? slope : 0;
    };
    std::vector<double> slopes(8);  // of a spheroid the one by q is 0
    slopes[2] = if_counts("r0", by.r0);
    slopes[3] = by.alpha;
    slopes[4] = if_counts("delta", by.delta);
    if (halo.triaxial) add_shape_slopes(model, halo, rg, by.rg, slopes);
    return slopes;
}

}  // namespace tessera::likelihood
