// The input of the sums over stars, on every device.
#pragma once

#include "kokkos_kernels/likelihood/compressed/track_panels.hpp"

namespace tessera::kernels::compressed {

/// StarTables on the device.
struct StarPointers {
    int count, panels, first_panel, last_panel;
    const double *direction, *distance, *factor, *auxiliary;
    const double *ratio, *lower, *upper, *middle, *half_width;
    const double *weight, *own_weight;

    const int* own_row;  // [panel] of own_weight, or -1
    const int* order;    // [thread] star, on a GPU

    /// Weights and remainder of a panel for a star.
    KOKKOS_FORCEINLINE_FUNCTION const double* row(int star, int panel) const {
        if (own_row[panel] < 0) return weight + panel * star_panel_stride;
        const auto first = static_cast<std::size_t>(star) * static_cast<std::size_t>(panels / 2);
        return own_weight + (first + static_cast<std::size_t>(own_row[panel])) * star_panel_stride;
    }
};

/// `keep(table)` copies a table to the device and returns its place.
template <class Keep>
StarPointers star_pointers(const StarTables& s, const Keep& keep) {
    return {
        s.count,          s.panels,       s.first_panel,      s.last_panel,   keep(s.direction),
        keep(s.distance), keep(s.factor), keep(s.auxiliary),  keep(s.ratio),  keep(s.lower),
        keep(s.upper),    keep(s.middle), keep(s.half_width), keep(s.weight), keep(s.own_weight),
        keep(s.own_row),  keep(s.order)};
}

/// A stream is left out if its exponent is too large and the background is at least this many times
/// its floor.
inline constexpr double leaving_out = 1e10;
/// Otherwise, a stream is left out only if its density is zero in double precision.
inline constexpr double every_exponent = 700;

/// Sums of a set with the moments of disks of one's own.
template <class Line, bool Gradient>
KOKKOS_FORCEINLINE_FUNCTION constexpr int size_with(const StarSumLayout& layout) {
    return Line::disks && Gradient ? layout.size() + disk_moments : layout.size();
}
struct DiskMoments {
    double of[disk_moments] = {};
};
struct NoDiskMoments {};

struct StarWork {
    StarPointers stars;
    const PanelRules* rules;              // [set]
    const BackgroundValues* backgrounds;  // [set]
    const StreamValues* streams;          // [set][stream]
    const TrackPiece* tracks;             // of all streams with tracks
    const double* per_integral;           // [set][1 + streams]: W_k / (I_k sum W)
    const double* least_exponents;        // [set][streams]: a star's density does not count beyond
    const double* tail;                   // [2][16]
    double* out;                          // [set][chunk][rows][size_with(layout)]
    double* log_density;                  // [set][star] or null
    double* all_terms;                    // [set][star][1 + streams] or null: W_k p_k / (I_k sum W)
    const double* factors;                // [set][star][1 + streams] or null: all are 1
    StarSumLayout layout;
    int chunks;

    int check_every;  // the error is estimated on the stars of every n-th block; this is n

    KOKKOS_FORCEINLINE_FUNCTION bool checked(int star) const {
        return is_checked(star, check_every);
    }

    /// The nodes of a panel for a star at `distance`.
    KOKKOS_FORCEINLINE_FUNCTION PanelNodes nodes(int star, int panel, double distance,
                                                 bool estimate) const {
        const double* row = stars.row(star, panel);
        return {stars.ratio + panel * panel_size, distance, row,
                estimate ? row + panel_size : nullptr, tail};
    }

    /// Place of the terms of a star's density, if they are wanted.
    KOKKOS_FORCEINLINE_FUNCTION double* terms_of(int set, int star) const {
        return all_terms + (static_cast<std::size_t>(set) * static_cast<std::size_t>(stars.count) +
                            static_cast<std::size_t>(star)) *
                               static_cast<std::size_t>(1 + layout.streams);
    }

    /// The factor of the density of a component at a star.
    KOKKOS_FORCEINLINE_FUNCTION double factor(int set, int star, int component) const {
        if (factors == nullptr) return 1;
        return factors[(static_cast<std::size_t>(set) * static_cast<std::size_t>(stars.count) +
                        static_cast<std::size_t>(star)) *
                           static_cast<std::size_t>(1 + layout.streams) +
                       static_cast<std::size_t>(component)];
    }

    /// The logarithm that the application uses for a component that is all but absent.
    KOKKOS_FORCEINLINE_FUNCTION static double log_above(double value, double floor) {
        return fabs(value) < floor ? -241.0 : decimal_log(value);
    }
};

}  // namespace tessera::kernels::compressed
