// What the sums over stars are made from, on every device.
#pragma once

#include "kokkos_kernels/likelihood/compressed/rules.hpp"

namespace tessera::kernels::compressed {

/// StarTables on the device.
struct StarPointers {
    int count, panels, first_panel, last_panel;
    const double *direction, *distance, *factor, *auxiliary;
    const double *ratio, *lower, *upper, *middle, *half_width;
    const double *weight, *own_weight;

    const int* own_row;  // [panel] of own_weight, or -1

    /// Weights and remainder of a panel for a star.
    KOKKOS_FORCEINLINE_FUNCTION const double* row(int star, int panel) const {
        if (own_row[panel] < 0) return weight + panel * star_panel_stride;
        const auto first = static_cast<std::size_t>(star) * static_cast<std::size_t>(panels / 2);
        return own_weight + (first + static_cast<std::size_t>(own_row[panel])) * star_panel_stride;
    }
};

inline constexpr int stars_a_block = 64;
/// Streams are left out where their exponent is too large, if the background is that many times its floor ...
inline constexpr double leaving_out = 1e10;
/// ... and else where their density is zero in double precision.
inline constexpr double every_exponent = 700;

struct StarWork {
    StarPointers stars;
    const PanelRules* rules;              // [set]
    const BackgroundValues* backgrounds;  // [set]
    const StreamValues* streams;          // [set][stream]
    const double* per_integral;           // [set][1 + streams]: W_k / (I_k sum W)
    const double* least_exponents;        // [set][streams]: beyond, a star's density does not count
    const double* tail;                   // [2][16]
    double* out;                          // [set][chunk][layout.size()]
    double* log_density;                  // [set][star] or null
    StarSumLayout layout;
    int chunks;

    int check_every;  // the error is estimated on these stars

    KOKKOS_FORCEINLINE_FUNCTION bool checked(int star) const { return star % check_every == 0; }

    /// What the application counts for a component that is all but absent.
    KOKKOS_FORCEINLINE_FUNCTION static double log_above(double value, double floor) {
        return fabs(value) < floor ? -241.0 : decimal_log(value);
    }
};

}  // namespace tessera::kernels::compressed
