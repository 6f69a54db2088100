// The background's density along a line of sight: halo and disk.
#pragma once

#include "kokkos_kernels/likelihood/compressed/lane_math.hpp"

namespace tessera::kernels::compressed {

inline constexpr double sun_distance = 8.5;  ///< kpc, from the Galactic centre
inline constexpr double disk_scale_r = 0.285714286, disk_scale_z = 1.428571429;  ///< 1/kpc

/// The numbers that the background needs of a line of sight.
struct BackgroundLine {
    double e[3], flat_z, disk_z, q;
    double break2;  ///< squared radius of a break

    /// Computes rg^2 and the squared distance from the Galaxy's axis.
    KOKKOS_FORCEINLINE_FUNCTION void squares(double r, double& rg2, double& axis2) const {
        const double x = r * e[0] - sun_distance, y = r * e[1], z = r * flat_z;
        axis2 = x * x + y * y;
        rg2 = axis2 + z * z;
    }
};

KOKKOS_FORCEINLINE_FUNCTION BackgroundLine background_line(const BackgroundValues& b,
                                                           const double* e) {
    return {{e[0], e[1], e[2]}, e[2] / b.q, disk_scale_z * fabs(e[2]), b.q, b.r0 * b.r0};
}

/// Per lane: sums of weight times halo, disk, d halo / d q, r0, alpha, delta.
template <bool Gradient>
struct BackgroundMoments {
    double halo[Lanes::each] = {}, disk[Lanes::each] = {};
};
template <>
struct BackgroundMoments<true> : BackgroundMoments<false> {
    double by[4][Lanes::each] = {};
};

/// Adds one panel and returns the error estimate of the sum of the whole density.
template <HaloProfile Profile, bool Disk, bool Gradient>
KOKKOS_FORCEINLINE_FUNCTION double add_panel_of(const Lanes& lanes, const BackgroundLine& line,
                                                const BackgroundValues& b, const PanelNodes& nodes,
                                                BackgroundMoments<Gradient>& moments) {
    constexpr bool power_law = Profile == HaloProfile::broken_power_law;
    constexpr bool einasto = Profile == HaloProfile::einasto;
    const double outer = 3 - b.alpha + b.delta;
    double density[Lanes::each];
    TESSERA_LANE_LOOP
    for (int i = 0; i < Lanes::each; ++i) {
        const int j = lanes.lane(i);
        const double r = nodes.radius[j] * nodes.scale, w = nodes.weight[j];
        double rg2, axis2;
        line.squares(r, rg2, axis2);
        const double rg = square_root(rg2), core = rg + b.r0;
        double halo, log_rg = 0, log_core = 0, inner = 0, log_power = 0, power_of = 0;
        if constexpr (Profile != HaloProfile::hernquist || Gradient) log_rg = log_positive(rg);
        if constexpr (power_law) {
            inner = rg < b.r0 ? 1 : 0;
            const double power = inner > 0 ? b.alpha : b.delta;
            const double log_ratio = b.log_scale - log_rg;
            halo = exp_any(power * log_ratio);
        } else if constexpr (einasto) {
            log_power = b.alpha * (log_rg - b.log_scale);
            power_of = exp_any(log_power);  // (rg / r0)^alpha
            halo = exp_any(2 * (1 - power_of) / b.alpha);
        } else {
            if constexpr (Profile == HaloProfile::hernquist_general || Gradient)
                log_core = log_positive(core);
            if constexpr (Profile == HaloProfile::hernquist_general)
                halo = exp_any(-b.alpha * log_rg - outer * log_core);
            else
                halo = reciprocal(rg * (core * (core * core)));
        }
        double f = b.halo * halo;
        const double wh = w * halo;
        moments.halo[i] += wh;
        if constexpr (Disk) {
            const double disk = exp_minus(disk_scale_r * square_root(axis2) + line.disk_z * r);
            moments.disk[i] += w * disk;
            f += b.disk * disk;
        }
        if constexpr (Gradient) {
            const double z = r * line.flat_z, rg_q = -z * z / (line.q * rg);
            if constexpr (power_law) {
                const double log_ratio = b.log_scale - log_rg;
                const double power = inner > 0 ? b.alpha : b.delta;
                moments.by[0][i] -= wh * power / rg * rg_q;
                moments.by[1][i] += wh * power / b.r0;
                moments.by[2][i] += wh * inner * log_ratio;
                moments.by[3][i] += wh * (1 - inner) * log_ratio;
            } else if constexpr (einasto) {
                const double steepness = 2 * wh * power_of;
                moments.by[0][i] -= steepness / rg * rg_q;
                moments.by[1][i] += steepness / b.r0;
                moments.by[2][i] +=
                    (2 * wh * (power_of - 1) - steepness * log_power) / (b.alpha * b.alpha);
            } else {
                moments.by[0][i] -= wh * (b.alpha / rg + outer / core) * rg_q;
                moments.by[1][i] -= wh * outer / core;
                moments.by[2][i] += wh * (log_core - log_rg);
                moments.by[3][i] -= wh * log_core;
            }
        }
        density[i] = f;
    }
    return panel_error(lanes, density, nodes);
}

/// A call of its own on a host: inlined, it would change how the compiler rounds the sums of the
/// other densities in the same kernel.
template <bool Gradient>
#ifdef __CUDA_ARCH__
KOKKOS_FORCEINLINE_FUNCTION
#else
[[gnu::noinline]] KOKKOS_FUNCTION
#endif
    double
    add_einasto_panel(const Lanes& lanes, const BackgroundLine& line, const BackgroundValues& b,
                      const PanelNodes& nodes, BackgroundMoments<Gradient>& moments) {
    return add_panel_of<HaloProfile::einasto, false, Gradient>(lanes, line, b, nodes, moments);
}

/// The disk is summed if it has a share, and for the gradient.
template <bool Disk, bool Gradient>
KOKKOS_FORCEINLINE_FUNCTION double
add_background_panel(const Lanes& lanes, const BackgroundLine& line, const BackgroundValues& b,
                     const PanelNodes& nodes, BackgroundMoments<Gradient>& moments) {
    using enum HaloProfile;
    if (b.profile == hernquist)
        return add_panel_of<hernquist, Disk, Gradient>(lanes, line, b, nodes, moments);
    if (b.profile == hernquist_general)
        return add_panel_of<hernquist_general, Disk, Gradient>(lanes, line, b, nodes, moments);
    if (b.profile == einasto) return add_einasto_panel(lanes, line, b, nodes, moments);
    return add_panel_of<broken_power_law, false, Gradient>(lanes, line, b, nodes, moments);
}

}  // namespace tessera::kernels::compressed
