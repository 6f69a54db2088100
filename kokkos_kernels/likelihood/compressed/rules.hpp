// Decides when sixteen nodes are enough for a panel. docs/method/likelihood-quadrature.md derives
// the rules.
#pragma once

#include "kokkos_kernels/likelihood/compressed/background.hpp"
#include "kokkos_kernels/likelihood/compressed/stream.hpp"

namespace tessera::kernels::compressed {

/// Whether a panel resolves a Gaussian. The panel has half width `half` and distance `away` from
/// the centre (both in sigma). Its values count e^-excess. The last Legendre coefficients fall like
/// (half (1 + away/4))^16.
KOKKOS_FORCEINLINE_FUNCTION bool resolves_stream(const PanelRules& rules, double half, double away,
                                                 double excess) {
    return half * (1 + 0.25 * away) <= rules.reach * (1 + excess * (1.0 / panel_size));
}

/// Whether a panel resolves a track whose third derivative jumps within it. The track leaves its
/// cubic by `kink` sigma at the end of the panel. Sixteen nodes miss up to missed_of_kink
/// of that.
KOKKOS_FORCEINLINE_FUNCTION bool smooth_enough(const PanelRules& rules, double kink,
                                               double excess) {
    return kink <= rules.kink * (1 + excess);
}

inline constexpr double good_panel = 1, absent_panel = 65536;

/// What the choice of panels needs of a stream.
struct StreamPlace {
    double closest;    ///< distance at which the unlimited line is nearest to the stream's axis
    double steepness;  ///< sigma per kpc along the line
    double nearest;    ///< from there to the nearest point of the line of sight, in sigma
};

/// A panel between two distances. Its half width is that of the logarithm of the distance.
struct PanelSpan {
    double low, high, half;
};

/// Judges a panel for a stream. Returns good_panel, absent_panel, their sum, or 0.
KOKKOS_FORCEINLINE_FUNCTION double stream_panel(const PanelRules& rules, const StreamPlace& stream,
                                                const PanelSpan& panel) {
    const double before = panel.low - stream.closest, behind = stream.closest - panel.high;
    const double gap = before > behind ? before : behind;
    const double away = gap > 0 ? stream.steepness * gap : 0.0;
    const double excess = 0.5 * (away * away - stream.nearest * stream.nearest);
    const bool good =
        resolves_stream(rules, stream.steepness * panel.high * panel.half, away, excess);
    return (good ? good_panel : 0.0) + (excess > rules.cutoff ? absent_panel : 0.0);
}

/// The part of the background's rules that is the same for all panels of a line of sight.
struct BackgroundTest {
    double slope2,
        axis_slope2;  ///< slopes of rg and of the distance from the Galaxy's axis, squared
    double fold;      ///< most e-folds of the disk per kpc
    double closest;   ///< distance where rg is least
    double nearest;   ///< where the line begins

    /// Whether a panel resolves disks of one's own, each by its e-folds. A disk fades away from the
    /// plane, but it may grow towards the Galaxy's axis.
    template <class Line>
    KOKKOS_FORCEINLINE_FUNCTION double resolves_disks(const PanelRules& rules, const Line& line,
                                                      double low, double high, double half) const {
        double good = 1;
        for (int d = 0; d < most_disks; ++d) {
            const double net = (low - nearest) * line.height[d] - sun_distance * line.plane[d];
            const double faded = net > 0 ? net : 0.0;
            const double steepest = rules.steepest * (1 + faded * (1.0 / panel_size));
            const double folds = line.plane[d] * sqrt(axis_slope2) + line.height[d];
            const double fine = high * half * folds <= steepest ? 1.0 : 0.0;
            good *= faded >= rules.negligible ? 1.0 : fine;
        }
        return good;
    }

    /// Judges a panel between low and high about middle. It extends `half` to each side in the
    /// logarithm of distance. If `half` is 0, its nodes are the points.
    template <bool Disk, bool Broken, class Line>
    KOKKOS_FORCEINLINE_FUNCTION double resolved(const PanelRules& rules, const Line& line,
                                                double low, double middle, double high,
                                                double half) const {
        const double clear = rules.clearance * half * middle, clear2 = clear * clear;
        double rg2, axis2;
        line.squares(middle, rg2, axis2);
        double good = rg2 >= clear2 * slope2 ? 1.0 : 0.0;
        if constexpr (Line::disks) {
            good *= resolves_disks(rules, line, low, high, half) *
                    (axis2 >= clear2 * axis_slope2 ? 1.0 : 0.0);
        } else if constexpr (Disk) {
            const double faded = (low - nearest) * line.disk_z;  // e-folds of the disk
            const double steepest = rules.steepest * (1 + faded * (1.0 / panel_size));
            double fine = high * half * fold <= steepest ? 1.0 : 0.0;
            fine *= axis2 >= clear2 * axis_slope2 ? 1.0 : 0.0;
            good *= faded >= rules.negligible ? 1.0 : fine;
        }
        if constexpr (Broken) {
            const double break2 = line.break2;
            double least, at_low, at_high;
            const double floor = closest < low ? low : closest;
            line.squares(floor > high ? high : floor, least, axis2);
            line.squares(low, at_low, axis2);
            line.squares(high, at_high, axis2);
            const double most = at_low > at_high ? at_low : at_high;
            double whole = least > break2 * (1 + 1e-12) ? 1.0 : 0.0;
            whole = most < break2 * (1 - 1e-12) ? 1.0 : whole;
            good *= half == 0 ? 1.0 : whole;
        }
        return good;
    }
};

template <class Line>
KOKKOS_FORCEINLINE_FUNCTION BackgroundTest background_test(const Line& line, double begin) {
    const double axis_slope2 = line.e[0] * line.e[0] + line.e[1] * line.e[1];
    const double slope2 = line.slope2(axis_slope2);
    return {slope2, axis_slope2, disk_scale_r * sqrt(axis_slope2) + line.disk_z,
            line.towards_centre() / slope2, begin};
}

/// Returns the number of the lowest set bit and clears it.
KOKKOS_FORCEINLINE_FUNCTION int take_panel(std::uint64_t& chosen) {
#ifdef __CUDA_ARCH__
    const int panel = __ffsll(static_cast<long long>(chosen)) - 1;
#else
    const int panel = std::countr_zero(chosen);
#endif
    chosen &= chosen - 1;
    return panel;
}

/// Panels to sum over, one bit each. They are good, not absent, and not below a panel that is good
/// or absent. `test(panel)` is good_panel, absent_panel, their sum, or 0. The panels from `first`
/// to 2 `first` - 1 are the roots.
template <class Test>
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t choose_panels(int first, int panels, Test&& test) {
    std::uint64_t open = ((std::uint64_t{1} << first) - 1) << first, chosen = 0;
    while (open != 0) {
        const int p = take_panel(open);
        const double found = test(p);
        if (found == good_panel) chosen |= std::uint64_t{1} << p;
        if (found == 0 && 2 * p < panels) open |= std::uint64_t{3} << (2 * p);
    }
    return chosen;
}

}  // namespace tessera::kernels::compressed
