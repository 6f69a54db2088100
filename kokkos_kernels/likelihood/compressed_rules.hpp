// When sixteen nodes are enough for a panel. docs/likelihood-quadrature.md derives the rules.
#pragma once

#include "kokkos_kernels/likelihood/compressed_background.hpp"
#include "kokkos_kernels/likelihood/compressed_stream.hpp"

namespace tessera::kernels::compressed {

/// A Gaussian over a panel of half width `half` at distance `away` (both in sigma) from its centre, whose
/// values count e^-excess: the last Legendre coefficients fall like (half (1 + away/4))^16.
KOKKOS_INLINE_FUNCTION bool resolves_stream(const PanelRules& rules, double half, double away,
                                            double excess) {
    return half * (1 + 0.25 * away) <= rules.reach * (1 + excess * (1.0 / panel_size));
}

/// A panel between low and high about middle, `half` wide to each side in the logarithm of distance.
KOKKOS_INLINE_FUNCTION bool resolves_background(const PanelRules& rules, const BackgroundLine& line,
                                                bool disk, bool broken, double low, double middle,
                                                double high, double half) {
    const double axis_slope2 = line.e[0] * line.e[0] + line.e[1] * line.e[1];
    const double slope2 = axis_slope2 + line.flat_z * line.flat_z;
    const double clear = rules.clearance * half * middle, clear2 = clear * clear;
    double rg2, axis2;
    line.squares(middle, rg2, axis2);
    if (rg2 < clear2 * slope2) return false;
    if (disk && low * line.disk_z < rules.negligible) {
        if (axis2 < clear2 * axis_slope2) return false;
        const double folds = high * half * (disk_scale_r * sqrt(axis_slope2) + line.disk_z);
        if (folds > rules.steepest) return false;
    }
    if (broken) {
        const double closest = sun_distance * line.e[0] / slope2;
        double least, at_low, at_high;
        line.squares(closest < low ? low : (closest > high ? high : closest), least, axis2);
        line.squares(low, at_low, axis2);
        line.squares(high, at_high, axis2);
        const double most = at_low > at_high ? at_low : at_high;
        constexpr double break2 = power_break * power_break;
        if (least < break2 * (1 + 1e-12) && most > break2 * (1 - 1e-12)) return false;
    }
    return true;
}

}  // namespace tessera::kernels::compressed
