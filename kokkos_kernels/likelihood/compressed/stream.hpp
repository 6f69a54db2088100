// A stream's density along a line of sight: exp(-|u_perp|^2 / 2 sigma^2), a Gaussian in the
// distance.
#pragma once

#include "kokkos_kernels/likelihood/compressed/lane_math.hpp"

namespace tessera::kernels::compressed {

KOKKOS_FORCEINLINE_FUNCTION double dot3(const double* a, const double* b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Squared distance to the axis, as slope^2 x^2 + tilt x + least with x = r - origin. The origin is
/// the point of [low, high] that is nearest to the axis, so that nothing cancels.
struct StreamProfile {
    double origin, slope2, tilt, least;
    double inverse;  ///< 1 / (2 sigma^2)

    /// The exponent at distance x from the origin. Rounding may take it a little below 0.
    KOKKOS_FORCEINLINE_FUNCTION double exponent(double x) const {
        return ((slope2 * x + tilt) * x + least) * inverse;
    }
};

/// A profile with the numbers that choose its panels and that its derivatives need.
struct StreamLine : StreamProfile {
    double closest;    ///< distance r at which the unlimited line is nearest to the axis
    double steepness;  ///< slope / sigma
    double across[3],
        offset[3];  ///< parts across the axis: of the direction, and of u at the origin

    KOKKOS_FORCEINLINE_FUNCTION StreamLine(const StreamValues& s, const double* e, double low,
                                           double high) {
        const double along = dot3(s.axis, e), centre_along = dot3(s.axis, s.centre);
        double foot[3];
        for (int i = 0; i < 3; ++i) {
            across[i] = e[i] - along * s.axis[i];
            foot[i] = s.centre[i] - centre_along * s.axis[i];
        }
        slope2 = dot3(across, across);
        const bool leans = slope2 > 1e-24;
        const double foremost = dot3(across, foot) / (leans ? slope2 : 1.0);
        closest = leans ? foremost : low;
        origin = closest < low ? low : (closest > high ? high : closest);
        for (int i = 0; i < 3; ++i) offset[i] = origin * across[i] - foot[i];
        tilt = 2 * dot3(across, offset);
        least = dot3(offset, offset);
        inverse = 0.5 / (s.sigma * s.sigma);
        steepness = sqrt(slope2 * 2 * inverse);
    }
};

/// Moments of weight times density about the line's origin.
template <bool Gradient>
struct StreamMoments {
    double zeroth[Lanes::each] = {};
};
template <>
struct StreamMoments<true> : StreamMoments<false> {
    double first[Lanes::each] = {}, second[Lanes::each] = {};
};

/// Adds one panel and returns the error estimate of its sum.
template <bool Gradient>
KOKKOS_FORCEINLINE_FUNCTION double add_stream_panel(const StreamProfile& line,
                                                    const PanelNodes& nodes,
                                                    StreamMoments<Gradient>& moments) {
    NodeDensities densities(nodes);
    TESSERA_LANE_LOOP
    for (int j = 0; j < panel_size; ++j) {
        const int i = Lanes::of(j);
        const double x = nodes.radius[j] * nodes.scale - line.origin;
        const double f = exp_minus(line.exponent(x));
        const double wf = nodes.weight[j] * f;
        densities.put(j, f);
        moments.zeroth[i] += wf;
        if constexpr (Gradient) {
            moments.first[i] += wf * x;
            moments.second[i] += wf * x * x;
        }
    }
    return densities.error();
}

/// Derivatives of the sum with respect to mu, r, theta, phi, sigma, from its three moments.
KOKKOS_FORCEINLINE_FUNCTION void stream_gradient(const StreamValues& s, const double* e,
                                                 const StreamLine& line, const double (&moments)[3],
                                                 double* by) {
    const double s0 = moments[0], s1 = moments[1], s2 = moments[2];
    const double inverse_sigma2 = 2 * line.inverse;
    const double* centre[2] = {s.centre_mu, s.centre_r};
    for (int p = 0; p < 2; ++p)
        by[p] = (dot3(line.offset, centre[p]) * s0 + dot3(line.across, centre[p]) * s1) *
                inverse_sigma2;
    double u[3];
    for (int i = 0; i < 3; ++i) u[i] = line.origin * e[i] - s.centre[i];
    const double along = dot3(s.axis, u), along_slope = dot3(s.axis, e);
    const double* axis[2] = {s.axis_theta, s.axis_phi};
    for (int p = 0; p < 2; ++p) {
        const double turn = dot3(u, axis[p]), turn_slope = dot3(e, axis[p]);
        by[2 + p] = (along * turn * s0 + (along * turn_slope + along_slope * turn) * s1 +
                     along_slope * turn_slope * s2) *
                    inverse_sigma2;
    }
    by[4] = (line.least * s0 + line.tilt * s1 + line.slope2 * s2) * inverse_sigma2 / s.sigma;
}

}  // namespace tessera::kernels::compressed
