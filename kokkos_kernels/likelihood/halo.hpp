// The density of the halo as a function of the flattened radius rg, rg^2 = X^2 + Y^2 + Z^2 / q^2,
// or x^2 + y^2 / p^2 + z^2 / q^2 along the axes of a triaxial halo.
#pragma once

#include <cmath>

#include "core/vec3.hpp"

namespace tessera::kernels {

enum class HaloProfile {
    hernquist,          ///< 1 / (rg (rg + core)^3)
    hernquist_general,  ///< rg^-inner (rg + core)^-outer
    broken_power_law,   ///< (scale / rg)^inner where rg < core, (scale / rg)^outer beyond
    einasto,            ///< exp(-2 / inner ((rg / core)^inner - 1))
};

struct Halo {
    HaloProfile profile = HaloProfile::hernquist;
    double q = 1;
    double core = 12, scale = 8.5;  ///< kpc
    double inner = 1, outer = 3;
    bool triaxial = false;
    double p = 1;
    Matrix3 to_axes{};  ///< of a triaxial halo: rg is the length of to_axes times the position
};

/// For code that is not in a hurry. The kernels have the same formulas in forms that fit them.
inline double halo_density(const Halo& halo, double rg) {
    switch (halo.profile) {
        case HaloProfile::broken_power_law:
            return std::pow(halo.scale / rg, rg < halo.core ? halo.inner : halo.outer);
        case HaloProfile::einasto:
            return std::exp(2 * (1 - std::pow(rg / halo.core, halo.inner)) / halo.inner);
        default: return 1 / (std::pow(rg, halo.inner) * std::pow(rg + halo.core, halo.outer));
    }
}

}  // namespace tessera::kernels
