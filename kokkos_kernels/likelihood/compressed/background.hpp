// The background's density along a line of sight: halo and disk.
#pragma once

#include "kokkos_kernels/likelihood/compressed/lane_math.hpp"

namespace tessera::kernels::compressed {

inline constexpr double sun_distance = 8.5;  ///< kpc, from the Galactic centre
inline constexpr double disk_scale_r = 0.285714286, disk_scale_z = 1.428571429;  ///< 1/kpc

/// The numbers that the background needs of a line of sight if its halo is a spheroid.
struct SpheroidLine {
    static constexpr bool triaxial = false, disks = false;
    static constexpr int slopes = 4;  ///< q, r0, alpha, delta
    double e[3], flat_z, disk_z, q;
    double break2;  ///< squared radius of a break

    KOKKOS_FORCEINLINE_FUNCTION static SpheroidLine of(const BackgroundValues& b, const double* e) {
        return {{e[0], e[1], e[2]}, e[2] / b.q, disk_scale_z * fabs(e[2]), b.q, b.r0 * b.r0};
    }

    /// Computes rg^2 and the squared distance from the Galaxy's axis.
    KOKKOS_FORCEINLINE_FUNCTION void squares(double r, double& rg2, double& axis2) const {
        const double x = r * e[0] - sun_distance, y = r * e[1], z = r * flat_z;
        axis2 = x * x + y * y;
        rg2 = axis2 + z * z;
    }
    /// The square of the most that rg changes per kpc.
    KOKKOS_FORCEINLINE_FUNCTION double slope2(double axis_slope2) const {
        return axis_slope2 + flat_z * flat_z;
    }
    /// That square times the distance where rg is least.
    KOKKOS_FORCEINLINE_FUNCTION double towards_centre() const { return sun_distance * e[0]; }

    /// Adds the derivatives by the shape to partial sum `i`, where the density falls by `fall` per
    /// kpc of rg.
    template <int Slopes>
    KOKKOS_FORCEINLINE_FUNCTION void add_shape(const BackgroundValues&, double r, double rg,
                                               double fall, double (&by)[Slopes][Lanes::each],
                                               int i) const {
        const double z = r * flat_z, rg_q = -z * z / (q * rg);
        by[0][i] -= fall * rg_q;
    }
};

/// The same if the halo is triaxial. rg is the length of start + r step.
struct TriaxialLine {
    static constexpr bool triaxial = true, disks = false;
    static constexpr int slopes = 8;  ///< also p, and turns about the halo's own axes
    double e[3], start[3], step[3], disk_z;
    double break2;

    KOKKOS_FORCEINLINE_FUNCTION static TriaxialLine of(const BackgroundValues& b, const double* e) {
        TriaxialLine line{{e[0], e[1], e[2]}, {}, {}, disk_scale_z * fabs(e[2]), b.r0 * b.r0};
        for (int i = 0; i < 3; ++i) {
            const double* row = b.to_axes + 3 * i;
            line.start[i] = -sun_distance * row[0];
            line.step[i] = row[0] * e[0] + row[1] * e[1] + row[2] * e[2];
        }
        return line;
    }

    KOKKOS_FORCEINLINE_FUNCTION void squares(double r, double& rg2, double& axis2) const {
        const double x = r * e[0] - sun_distance, y = r * e[1];
        const double a = start[0] + r * step[0], b = start[1] + r * step[1],
                     c = start[2] + r * step[2];
        axis2 = x * x + y * y;
        rg2 = a * a + b * b + c * c;
    }
    KOKKOS_FORCEINLINE_FUNCTION double slope2(double) const {
        return step[0] * step[0] + step[1] * step[1] + step[2] * step[2];
    }
    KOKKOS_FORCEINLINE_FUNCTION double towards_centre() const {
        return -(start[0] * step[0] + start[1] * step[1] + start[2] * step[2]);
    }

    /// rg d rg is -c^2 dq / q - b^2 dp / p, less for a turn about an axis the product of the two
    /// other coordinates times the factor of that axis.
    template <int Slopes>
    KOKKOS_FORCEINLINE_FUNCTION void add_shape(const BackgroundValues& values, double r, double rg,
                                               double fall, double (&by)[Slopes][Lanes::each],
                                               int i) const {
        const double a = start[0] + r * step[0], b = start[1] + r * step[1],
                     c = start[2] + r * step[2];
        const double share = fall / rg;
        by[0][i] += share * c * c / values.q;
        by[4][i] += share * b * b / values.p;
        by[5][i] += share * b * c * values.turn[0];
        by[6][i] += share * c * a * values.turn[1];
        by[7][i] += share * a * b * values.turn[2];
    }
};

/// Models with disks of their own have lines and kernels of their own.
template <class HaloLine>
struct WithDisks : HaloLine {
    static constexpr bool disks = true;
    double plane[most_disks], height[most_disks];  ///< e-folds per kpc of R and of the line

    KOKKOS_FORCEINLINE_FUNCTION static WithDisks of(const BackgroundValues& b, const double* e) {
        WithDisks line;
        static_cast<HaloLine&>(line) = HaloLine::of(b, e);
        for (int d = 0; d < most_disks; ++d) {
            line.plane[d] = b.disks[d].in_plane;
            line.height[d] = b.disks[d].across * fabs(e[2]);
        }
        return line;
    }
};

/// Sums of weight times halo, disk, d halo / d q, r0, alpha, delta and the shape.
template <class Line, bool Gradient>
struct BackgroundMoments {
    double halo[Lanes::each] = {}, disk[Lanes::each] = {};
};
template <class Line>
struct BackgroundMoments<Line, true> : BackgroundMoments<Line, false> {
    double by[Line::slopes][Lanes::each] = {};
};
template <class HaloLine>
struct BackgroundMoments<WithDisks<HaloLine>, true> : BackgroundMoments<HaloLine, true> {
    double of_disk[disk_moments][Lanes::each] = {};
};

/// Adds the disks of a point to partial sum `i`, and returns their density.
template <class Line, bool Gradient>
KOKKOS_FORCEINLINE_FUNCTION double add_disks(const Line& line, const BackgroundValues& b, double r,
                                             double w, double axis2,
                                             BackgroundMoments<Line, Gradient>& moments, int i) {
    const double out = square_root(axis2);
    double density = 0;
    for (int d = 0; d < most_disks; ++d) {
        const double disk = exp_minus(line.plane[d] * out + line.height[d] * r);
        density += b.disks[d].factor * disk;
        if constexpr (Gradient) {
            moments.of_disk[3 * d][i] += w * disk;
            moments.of_disk[3 * d + 1][i] += w * disk * out;
            moments.of_disk[3 * d + 2][i] += w * disk * (r * fabs(line.e[2]));
        }
    }
    moments.disk[i] += w * density;
    return density;
}

/// Adds one panel and returns the error estimate of the sum of the whole density.
template <HaloProfile Profile, bool Disk, bool Gradient, class Line>
KOKKOS_FORCEINLINE_FUNCTION double add_panel_of(const Line& line, const BackgroundValues& b,
                                                const PanelNodes& nodes,
                                                BackgroundMoments<Line, Gradient>& moments) {
    constexpr bool power_law = Profile == HaloProfile::broken_power_law;
    constexpr bool einasto = Profile == HaloProfile::einasto;
    const double outer = 3 - b.alpha + b.delta;
    NodeDensities densities(nodes);
    TESSERA_LANE_LOOP
    for (int j = 0; j < panel_size; ++j) {
        const int i = Lanes::of(j);
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
        if constexpr (Line::disks) {
            f += add_disks(line, b, r, w, axis2, moments, i);
        } else if constexpr (Disk) {
            const double disk = exp_minus(disk_scale_r * square_root(axis2) + line.disk_z * r);
            moments.disk[i] += w * disk;
            f += b.disk * disk;
        }
        if constexpr (Gradient) {
            double fall;  // weight times the density, per kpc of rg
            if constexpr (power_law) {
                const double log_ratio = b.log_scale - log_rg;
                const double power = inner > 0 ? b.alpha : b.delta;
                fall = wh * power / rg;
                moments.by[1][i] += wh * power / b.r0;
                moments.by[2][i] += wh * inner * log_ratio;
                moments.by[3][i] += wh * (1 - inner) * log_ratio;
            } else if constexpr (einasto) {
                const double steepness = 2 * wh * power_of;
                fall = steepness / rg;
                moments.by[1][i] += steepness / b.r0;
                moments.by[2][i] +=
                    (2 * wh * (power_of - 1) - steepness * log_power) / (b.alpha * b.alpha);
            } else {
                fall = wh * (b.alpha / rg + outer / core);
                moments.by[1][i] -= wh * outer / core;
                moments.by[2][i] += wh * (log_core - log_rg);
                moments.by[3][i] -= wh * log_core;
            }
            line.add_shape(b, r, rg, fall, moments.by, i);
        }
        densities.put(j, f);
    }
    return densities.error();
}

/// A call of its own on a host: inlined, it would change how the compiler rounds the sums of the
/// other densities in the same kernel.
template <bool Gradient, class Line>
#ifdef __CUDA_ARCH__
KOKKOS_FORCEINLINE_FUNCTION
#else
[[gnu::noinline]] KOKKOS_FUNCTION
#endif
    double
    add_einasto_panel(const Line& line, const BackgroundValues& b, const PanelNodes& nodes,
                      BackgroundMoments<Line, Gradient>& moments) {
    return add_panel_of<HaloProfile::einasto, false, Gradient>(line, b, nodes, moments);
}

/// The disk is summed if it has a share, and for the gradient.
template <bool Disk, bool Gradient, class Line>
KOKKOS_FORCEINLINE_FUNCTION double
add_background_panel(const Line& line, const BackgroundValues& b, const PanelNodes& nodes,
                     BackgroundMoments<Line, Gradient>& moments) {
    using enum HaloProfile;
    if (b.profile == hernquist)
        return add_panel_of<hernquist, Disk, Gradient>(line, b, nodes, moments);
    if (b.profile == hernquist_general)
        return add_panel_of<hernquist_general, Disk, Gradient>(line, b, nodes, moments);
    if (b.profile == einasto) return add_einasto_panel<Gradient>(line, b, nodes, moments);
    return add_panel_of<broken_power_law, false, Gradient>(line, b, nodes, moments);
}

}  // namespace tessera::kernels::compressed
