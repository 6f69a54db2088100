// The axis of a stream that is a curve: pieces of a cubic spline, which goes on straight at both
// ends. Lengths are in kpc, and places are counted from the Sun (docs/method/likelihood.md).
#pragma once

#include <cmath>

// A function that is called, and not inlined: so the kernels of straight streams keep their
// registers.
#ifdef __CUDACC__
#define TESSERA_ANYWHERE __host__ __device__
#define TESSERA_APART __noinline__
#else
#define TESSERA_ANYWHERE
#define TESSERA_APART [[gnu::noinline]]
#endif

namespace tessera::kernels {

/// Numbers that move the axis.
inline constexpr int track_shifts = 4;

/// A vector as a polynomial of degree 3: [power][coordinate].
struct TrackCubic {
    double of[4][3];

    TESSERA_ANYWHERE void at(double t, double* to) const {
        for (int i = 0; i < 3; ++i)
            to[i] = ((of[3][i] * t + of[2][i]) * t + of[1][i]) * t + of[0][i];
    }
    /// The first two derivatives.
    TESSERA_ANYWHERE void derivatives(double t, double* first, double* second) const {
        for (int i = 0; i < 3; ++i) {
            first[i] = (3 * of[3][i] * t + 2 * of[2][i]) * t + of[1][i];
            second[i] = 6 * of[3][i] * t + 2 * of[2][i];
        }
    }
};

struct TrackPiece {
    TrackCubic place;
    double first, last;              ///< range of t
    double middle[3], reach;         ///< a sphere that holds the piece
    double bend;                     ///< its greatest curvature, 1/kpc
    double to_knot[2];               ///< from its ends to the next knots, kpc
    double jump[2];                  ///< of the third derivative at these knots, kpc^-2
    TrackCubic shift[track_shifts];  ///< derivatives of the place by the numbers that move the axis
};

/// The point of the axis that is nearest to a place.
struct TrackPoint {
    double distance2 = 1e300;
    double offset[3] = {0, 0, 0};  ///< from the axis to the place
    double t = 0;
    int piece = 0;
};

namespace track {

TESSERA_ANYWHERE inline double dot(const double* a, const double* b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

TESSERA_ANYWHERE inline double clamp(double x, double low, double high) {
    return x < low ? low : x > high ? high : x;
}

/// The point of a piece that is nearest to x, by Newton's method from the chord. A piece turns so
/// little that there is one minimum wherever the density counts.
TESSERA_ANYWHERE inline TrackPoint nearest_of(const TrackPiece& piece, const double* x) {
    constexpr int most_steps = 20;
    constexpr double close = 1e-7;  // kpc, after which the next step is exact
    double from[3], first[3], second[3];
    const double start = piece.bend > 0 ? (piece.first + piece.last) / 2 : 0;
    double t = start;
    TrackPoint found;
    for (int step = 0;; ++step) {
        piece.place.at(t, from);
        for (int i = 0; i < 3; ++i) from[i] = x[i] - from[i];
        piece.place.derivatives(t, first, second);
        const double slope = dot(from, first), speed2 = dot(first, first);
        const double curve = speed2 - dot(from, second);
        const double to = t + slope / (curve > 0.25 * speed2 ? curve : speed2);
        const double next = clamp(to, piece.first, piece.last), moved = fabs(next - t);
        t = next;
        if (moved <= close || step == most_steps) break;
    }
    piece.place.at(t, from);
    for (int i = 0; i < 3; ++i) found.offset[i] = x[i] - from[i];
    found.distance2 = dot(found.offset, found.offset);
    found.t = t;
    return found;
}

}  // namespace track

/// The nearest point of the whole axis. Looks at piece `guess` first.
TESSERA_APART TESSERA_ANYWHERE inline TrackPoint
nearest_on_track(const TrackPiece* pieces, int count, const double* x, int guess) {
    TrackPoint best = track::nearest_of(pieces[guess], x);
    best.piece = guess;
    double distance = sqrt(best.distance2);
    for (int p = 0; p < count; ++p) {
        if (p == guess) continue;
        const TrackPiece& piece = pieces[p];
        const double off[3] = {x[0] - piece.middle[0], x[1] - piece.middle[1],
                               x[2] - piece.middle[2]};
        const double far = distance + piece.reach;
        if (track::dot(off, off) >= far * far) continue;
        const TrackPoint one = track::nearest_of(piece, x);
        if (!(one.distance2 < best.distance2)) continue;
        best = one;
        best.piece = p;
        distance = sqrt(best.distance2);
    }
    return best;
}

/// Unit vector along the axis.
TESSERA_ANYWHERE inline void track_tangent(const TrackPiece& piece, double t, double* to) {
    double second[3];
    piece.place.derivatives(t, to, second);
    const double scale = 1 / sqrt(track::dot(to, to));
    for (int i = 0; i < 3; ++i) to[i] *= scale;
}

/// Length of the part of v across a unit vector.
TESSERA_ANYWHERE inline double length_across(const double* v, const double* unit) {
    const double along = track::dot(v, unit);
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += (v[i] - along * unit[i]) * (v[i] - along * unit[i]);
    return sqrt(sum);
}

/// How far the axis leaves its own cubic within `length` of t, because the third derivative jumps
/// where pieces meet.
TESSERA_ANYWHERE inline double track_kink(const TrackPiece& piece, double t, double length) {
    double jump = 0;
    if (t - piece.first + piece.to_knot[0] < length) jump = piece.jump[0];
    if (piece.last - t + piece.to_knot[1] < length && piece.jump[1] > jump) jump = piece.jump[1];
    return jump * length * length * length / 6;
}

/// How much more a box or a panel reaches across the axis than its parts across the tangent at its
/// middle, per length: the axis turns within it. `length` is its half extent, and `distance` that
/// of the middle from the axis.
TESSERA_ANYWHERE inline double track_lean(const TrackPiece& piece, double length, double distance) {
    const double free = 1 - piece.bend * distance;
    const double turn = piece.bend * length / (free > 0.25 ? free : 0.25);
    return turn < 1 ? turn : 1;
}

/// The least squared distance between the axis and the line of sight along e from `low` to `high`,
/// and the piece where it lies. It may be a little too large.
TESSERA_ANYWHERE inline TrackPoint track_approach(const TrackPiece* pieces, int count,
                                                  const double* e, double low, double high) {
    TrackPoint best;
    for (int p = 0; p < count; ++p) {
        const TrackPiece& piece = pieces[p];
        const double foot = track::clamp(track::dot(e, piece.middle), low, high);
        double x[3], off[3];
        for (int i = 0; i < 3; ++i) off[i] = foot * e[i] - piece.middle[i];
        const double gap = sqrt(track::dot(off, off)) - piece.reach;
        if (gap > 0 && gap * gap >= best.distance2) continue;
        TrackPoint one;
        double r = foot;
        for (int step = 0; step < 6; ++step) {
            for (int i = 0; i < 3; ++i) x[i] = r * e[i];
            one = track::nearest_of(piece, x);
            // The nearest point of the line to the tangent of the axis there.
            double tangent[3];
            track_tangent(piece, one.t, tangent);
            const double along = track::dot(e, tangent), lean = 1 - along * along;
            const bool at_end = one.t == piece.first || one.t == piece.last;
            const double towards =
                track::dot(one.offset, e) - (at_end ? 0 : along * track::dot(one.offset, tangent));
            const double next = track::clamp(r - towards / (at_end        ? 1
                                                            : lean > 1e-6 ? lean
                                                                          : 1e-6),
                                             low, high);
            const bool done = fabs(next - r) < 1e-6;
            r = next;
            if (done) break;
        }
        if (one.distance2 < best.distance2) {
            best = one;
            best.piece = p;
        }
    }
    return best;
}

}  // namespace tessera::kernels
