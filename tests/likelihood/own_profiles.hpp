// The profiles of the background that are not the application's, from the papers, in long double.
#pragma once

#include <cmath>
#include <vector>

#include "io/streams/stream_model.hpp"

namespace tessera::test {

inline const std::vector<io::Profile>& own_profiles() {
    static const std::vector<io::Profile> all{io::Profile::nfw, io::Profile::einasto,
                                              io::Profile::continuous_broken_power_law};
    return all;
}

inline const std::vector<io::Profile>& all_profiles() {
    static const std::vector<io::Profile> all{io::Profile::hernquist, io::Profile::broken_power_law,
                                              io::Profile::nfw, io::Profile::einasto,
                                              io::Profile::continuous_broken_power_law};
    return all;
}

inline bool is_own(const io::Background& b) {
    return b.profile != io::Profile::hernquist && b.profile != io::Profile::broken_power_law;
}

/// The radius whose surfaces are ellipsoids with the axes 1 : p : q. The position is turned back by
/// one angle after the other.
inline long double elliptical_radius(const io::Background& b, long double x, long double y,
                                     long double z) {
    constexpr long double degree = 3.14159265358979323846264338327950288L / 180;
    const auto turn_back = [](long double& first, long double& second, long double angle) {
        const long double c = std::cos(angle), s = std::sin(angle), a = first;
        first = c * a + s * second;
        second = c * second - s * a;
    };
    turn_back(x, y, b.yaw * degree);
    turn_back(z, x, b.pitch * degree);
    turn_back(y, z, b.roll * degree);
    y /= b.p;
    z /= b.q;
    return std::sqrt(x * x + y * y + z * z);
}

/// Axes like those that Han et al. (2022) find for the stellar halo.
inline void set_triaxial(io::Background& b) {
    b.triaxial = true;
    b.p = 0.81;
    b.q = 0.73;
    b.yaw = -24;
    b.pitch = 25;
    b.roll = 8;
}

/// Zhao (1996) with slope 3 outside; Navarro et al. (2004), equation 4; Deason et al. (2011).
inline long double own_density(const io::Background& b, long double rg) {
    const long double alpha = b.alpha, delta = b.delta, x = rg / b.r0;
    if (b.profile == io::Profile::nfw) return std::pow(rg, -alpha) * std::pow(rg + b.r0, alpha - 3);
    if (b.profile == io::Profile::einasto) return std::exp(-2 / alpha * (std::pow(x, alpha) - 1));
    return std::pow(x, x < 1 ? -alpha : -delta);
}

/// The thin and the thick disk (Juric et al. 2008) with the halo at the Sun as unit.
inline long double disks_per_halo(const io::Background& b, long double x, long double y,
                                  long double z) {
    const long double out = std::sqrt(x * x + y * y) - 8.5L, height = std::abs(z);
    long double sum = 0;
    if (b.thin_disk) sum += b.thin * std::exp(-out / b.thin_length - height / b.thin_height);
    if (b.thick_disk) sum += b.thick * std::exp(-out / b.thick_length - height / b.thick_height);
    return sum;
}

/// Disks like those that Juric et al. (2008) find, with a thicker thin one, so that it matters
/// where wedges begin.
inline void set_disks(io::Background& b, bool thin = true, bool thick = true) {
    b.epsilon = 1;
    b.thin_disk = thin;
    b.thick_disk = thick;
    b.thin = 150;
    b.thin_length = 2.6;
    b.thin_height = 0.45;
    b.thick = 18;
    b.thick_length = 3.6;
    b.thick_height = 0.9;
}

/// Gives a model a profile of its own with numbers like those of the stellar halo.
inline void set_own_profile(io::StreamModel& model, io::Profile profile) {
    io::Background& b = model.background;
    b.profile = profile;
    b.epsilon = model.model == io::Model::classic ? 0 : 1;
    b.r0 = 19;
    b.alpha = profile == io::Profile::nfw ? 1.2 : profile == io::Profile::einasto ? 0.6 : 2.4;
    b.delta = profile == io::Profile::continuous_broken_power_law ? 3.8 : 1;
    b.a = b.b = b.c = 0;
}

/// Any profile; the application's keep the numbers that the model has.
inline void set_profile(io::StreamModel& model, io::Profile profile) {
    model.background.profile = profile;
    if (is_own(model.background)) set_own_profile(model, profile);
}

}  // namespace tessera::test
