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

inline bool is_own(const io::Background& b) {
    return b.profile != io::Profile::hernquist && b.profile != io::Profile::broken_power_law;
}

/// Zhao (1996) with slope 3 outside; Navarro et al. (2004), equation 4; Deason et al. (2011).
inline long double own_density(const io::Background& b, long double rg) {
    const long double alpha = b.alpha, delta = b.delta, x = rg / b.r0;
    if (b.profile == io::Profile::nfw) return std::pow(rg, -alpha) * std::pow(rg + b.r0, alpha - 3);
    if (b.profile == io::Profile::einasto) return std::exp(-2 / alpha * (std::pow(x, alpha) - 1));
    return std::pow(x, x < 1 ? -alpha : -delta);
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

}  // namespace tessera::test
