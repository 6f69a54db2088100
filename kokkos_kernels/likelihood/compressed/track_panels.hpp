// The density of a stream with a track along a line of sight: a Gaussian of the distance from a
// curve. On a GPU these functions are calls, so that straight streams keep their registers.
#pragma once

#include "kokkos_kernels/likelihood/compressed/rules.hpp"
#include "kokkos_kernels/likelihood/track.hpp"

namespace tessera::kernels::compressed {

/// Sums of weight times density, and of its derivatives by the four shifts and by sigma.
template <bool Gradient>
struct TrackMoments {
    double value[Lanes::each] = {};
};
template <>
struct TrackMoments<true> : TrackMoments<false> {
    double by[track_shifts + 1][Lanes::each] = {};
};

/// A track, and the line of sight along e.
struct TrackSight {
    const TrackPiece* pieces;
    int count;
    double sigma;
    const double* e;
    int guess = 0;     ///< the piece to look at first
    double least = 0;  ///< least exponent along the line

    KOKKOS_INLINE_FUNCTION TrackSight(const StreamValues& s, const TrackPiece* tracks,
                                      const double* direction)
        : pieces(tracks + s.first_piece), count(s.pieces), sigma(fabs(s.sigma)), e(direction) {}

    KOKKOS_INLINE_FUNCTION TrackPoint at(double r) const {
        const double x[3] = {r * e[0], r * e[1], r * e[2]};
        return nearest_on_track(pieces, count, x, guess);
    }

    TESSERA_APART KOKKOS_FUNCTION void approach(double low, double high) {
        const TrackPoint found = track_approach(pieces, count, e, low, high);
        guess = found.piece;
        least = found.distance2 * 0.5 / (sigma * sigma);
    }

    /// Judges a panel, as stream_panel() does.
    TESSERA_APART KOKKOS_FUNCTION double panel(const PanelRules& rules, double low, double high,
                                               double half) const {
        const TrackPoint near = at((low + high) / 2);
        const TrackPiece& piece = pieces[near.piece];
        double tangent[3];
        track_tangent(piece, near.t, tangent);
        const double extent = (high - low) / 2, distance = sqrt(near.distance2);
        const double across = length_across(e, tangent) + track_lean(piece, extent, distance);
        const double gap = distance - across * extent;
        const double away = gap > 0 ? gap / sigma : 0.0;
        const double excess = 0.5 * away * away - least;
        const double along = fabs(dot3(e, tangent)) * extent;
        constexpr double wider = 1.15;  // the distance is not quite linear along the line
        const bool good =
            resolves_stream(rules, wider * across * high * half / sigma, away, excess) &&
            (half == 0 || smooth_enough(rules, track_kink(piece, near.t, along) / sigma, excess));
        return (good ? good_panel : 0.0) + (excess > rules.cutoff ? absent_panel : 0.0);
    }

    /// Adds one panel and returns the error estimate of its sum.
    template <bool Gradient>
    TESSERA_APART KOKKOS_FUNCTION double add(const PanelNodes& nodes,
                                             TrackMoments<Gradient>& moments) {
        const double inverse = 0.5 / (sigma * sigma);
        NodeDensities densities(nodes);
        for (int j = 0; j < panel_size; ++j) {
            const int i = Lanes::of(j);
            const TrackPoint near = at(nodes.radius[j] * nodes.scale);
            const double f = exp_minus(near.distance2 * inverse);
            const double wf = nodes.weight[j] * f;
            guess = near.piece;
            densities.put(j, f);
            moments.value[i] += wf;
            if constexpr (Gradient) add_slopes(near, wf, i, moments);
        }
        return densities.error();
    }

    /// The sums over all nodes: the value, then its derivatives.
    template <bool Gradient>
    KOKKOS_FUNCTION void sums(const TrackMoments<Gradient>& moments, double* to) const {
        to[0] = Lanes::sum(moments.value);
        if constexpr (Gradient) {
            const double scale = 1 / (sigma * sigma);
            for (int s = 0; s < track_shifts; ++s) to[1 + s] = scale * Lanes::sum(moments.by[s]);
            to[1 + track_shifts] = scale / sigma * Lanes::sum(moments.by[track_shifts]);
        }
    }

  private:
    KOKKOS_FUNCTION void add_slopes(const TrackPoint& near, double wf, int i,
                                    TrackMoments<true>& moments) const {
        for (int s = 0; s < track_shifts; ++s) {
            double moved[3];
            pieces[near.piece].shift[s].at(near.t, moved);
            moments.by[s][i] += wf * dot3(near.offset, moved);
        }
        moments.by[track_shifts][i] += wf * near.distance2;
    }
};

/// Sums along a star's line of sight, in units of its factor. Returns the error of the value. The
/// sums are 0 if the exponent exceeds `most_exponent`.
template <bool Gradient, class Work>
KOKKOS_FUNCTION double add_track(const Work& work, const PanelRules& rules,
                                 const StreamValues& stream, int star, double most_exponent,
                                 double* to) {
    const auto& stars = work.stars;
    const double distance = stars.distance[star];
    TrackSight sight(stream, work.tracks, stars.direction + 3 * star);
    for (int i = 0; i < (Gradient ? 2 + track_shifts : 1); ++i) to[i] = 0;
    sight.approach(distance * stars.lower[stars.first_panel],
                   distance * stars.upper[stars.last_panel]);
    if (!(sight.least < most_exponent)) return 0;
    std::uint64_t chosen = choose_panels(stars.first_panel, stars.panels, [&](int p) {
        return sight.panel(rules, distance * stars.lower[p], distance * stars.upper[p],
                           stars.half_width[p]);
    });
    TrackMoments<Gradient> moments;
    double error = 0;
    while (chosen != 0) {
        const int p = take_panel(chosen);
        error += sight.add(work.nodes(star, p, distance, work.checked(star)), moments);
    }
    sight.sums(moments, to);
    return error;
}

}  // namespace tessera::kernels::compressed
