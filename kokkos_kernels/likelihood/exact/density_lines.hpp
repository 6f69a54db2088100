// Densities along one line of sight. For each chunk of neighbouring nodes (about a reference
// radius), a line gives a function of the distance from the reference, and a separate factor.
// Numbers for a whole chunk or line are computed in double, and nodes in `Real`. In FP32 the
// constants of a density are rounded to 24 bits. This moves all points in the same direction and
// does not average out. rest() of a chunk is the relative loss of density, which is added
// separately.
#pragma once

#include "kokkos_kernels/likelihood/elementary.hpp"
#include "kokkos_kernels/likelihood/exact/density_terms.hpp"

namespace tessera::kernels {

/// Stands for a series' degree if every exponential is evaluated by itself.
inline constexpr int every_exponential = 0;

/// The part of a number that rounding to `Real` loses.
template <class Real>
KOKKOS_INLINE_FUNCTION constexpr Real rounded_off(double x) {
    return static_cast<Real>(x - static_cast<double>(static_cast<Real>(x)));
}
template <class Real>
inline constexpr bool rounds = std::is_same_v<Real, float>;

template <class Real, class Functions, int Degree>
struct StreamLine {
    static constexpr bool has_rest = false;
    Quadratic<double> exponent;  ///< in bits

    StreamLine() = default;
    KOKKOS_INLINE_FUNCTION StreamLine(const DensityTerm&, DeviceVec, const Quadratic<double>& q)
        : exponent(q) {}

    /// 2^-((t + a d)^2 + c) = 2^-(t^2 + c) * 2^-(d (2 a t + a^2 d)). It takes one full exponential
    /// per chunk.
    struct SharedChunk {
        Real scale, p, q;
        KOKKOS_INLINE_FUNCTION Real operator()(Real d) const {
            return two_to_small<Degree>(d * (p + q * d));
        }
    };
    struct EveryChunk {
        Real scale, t, a, c;
        KOKKOS_INLINE_FUNCTION Real operator()(Real d) const {
            const Real root = t + a * d;
            return Functions::power(root * root + c);
        }
    };
    using Chunk = std::conditional_t<Degree == every_exponential, EveryChunk, SharedChunk>;

    KOKKOS_INLINE_FUNCTION Chunk at(double r) const {
        const double a = exponent.a, t = exponent.root_at(r);
        if constexpr (Degree == every_exponential)
            return {Real(1), Real(t), Real(a), Real(exponent.c)};
        else
            return {Real(Functions::power(t * t + exponent.c)), Real(-2 * a * t), Real(-a * a)};
    }
};

/// The Gaussian of the distance from a track. The distance is computed in double.
template <class Real, class Functions>
struct TrackLine {
    static constexpr bool has_rest = false;
    const TrackPiece* pieces;
    int count;
    double bits;  ///< of the exponent per squared kpc
    DeviceVec e;

    TrackLine() = default;
    KOKKOS_INLINE_FUNCTION TrackLine(const DensityTerm& term, DeviceVec direction,
                                     const Quadratic<double>&)
        : pieces(term.pieces),
          count(term.piece_count),
          bits(term.root_scale * term.root_scale),
          e(direction) {}

    KOKKOS_INLINE_FUNCTION TrackPoint nearest(double r, int guess) const {
        const double x[3] = {r * e.x, r * e.y, r * e.z};
        return nearest_on_track(pieces, count, x, guess);
    }

    struct Chunk {
        Real scale;
        const TrackLine* line;
        double reference;
        int guess;
        KOKKOS_INLINE_FUNCTION Real operator()(Real d) const {
            const double r = reference + static_cast<double>(d);
            return Functions::power(
                static_cast<Real>(line->bits * line->nearest(r, guess).distance2));
        }
    };
    KOKKOS_INLINE_FUNCTION Chunk at(double r) const {
        return {Real(1), this, r, nearest(r, 0).piece};
    }
};

/// 1 / (rg (rg + core)^3).
template <class Real, class Functions>
struct HernquistLine {
    static constexpr bool has_rest = rounds<Real>;
    Quadratic<double> square;  ///< rg^2, kpc^2
    Real core, core_rest;

    HernquistLine() = default;
    KOKKOS_INLINE_FUNCTION HernquistLine(const DensityTerm& term, DeviceVec,
                                         const Quadratic<double>& q)
        : square(q), core(static_cast<Real>(term.core)), core_rest(rounded_off<Real>(term.core)) {}

    struct Chunk {
        Real scale, t, a, c, core;
        KOKKOS_INLINE_FUNCTION Real operator()(Real d) const {
            const Real root = t + a * d;
            const Real rg = Functions::root(root * root + c);
            const Real sum = rg + core;
            return Functions::inverse((rg * sum) * (sum * sum));
        }
    };
    KOKKOS_INLINE_FUNCTION Chunk at(double r) const {
        return {Real(1), Real(square.root_at(r)), Real(square.a), Real(square.c), core};
    }
    KOKKOS_INLINE_FUNCTION Real rest(const Chunk& at) const {
        const Real rg = Functions::root(at.t * at.t + at.c);
        return -3 * core_rest / (rg + core);
    }
};

/// Any exponents, and the broken power law. They are rare, so they use the library's power.
template <class Real, class Functions, bool Broken>
struct PowerLine {
    static constexpr bool has_rest = rounds<Real>;
    Quadratic<double> square;  ///< rg^2, kpc^2
    double radius;             ///< of the break, kpc
    Real core, scale, inner, outer, core_rest, inner_rest, outer_rest;

    PowerLine() = default;
    KOKKOS_INLINE_FUNCTION PowerLine(const DensityTerm& term, DeviceVec, const Quadratic<double>& q)
        : square(q),
          radius(term.core),
          core(static_cast<Real>(term.core)),
          scale(static_cast<Real>(term.scale)),
          inner(static_cast<Real>(term.inner)),
          outer(static_cast<Real>(term.outer)),
          core_rest(rounded_off<Real>(term.core)),
          inner_rest(rounded_off<Real>(term.inner)),
          outer_rest(rounded_off<Real>(term.outer)) {}

    struct Chunk {
        Real scale, t, a, c, core, inner, outer;
        Real unit;      ///< scale of a power law, kpc
        Real from, to;  ///< inside the break lie from < d < to
        KOKKOS_INLINE_FUNCTION Real operator()(Real d) const {
            const Real root = t + a * d;
            const Real rg = Functions::root(root * root + c);
            if constexpr (Broken) {
                // The density jumps at the break. A rounded rg would put points on the wrong side
                // of it.
                const bool inside = rounds<Real> ? from < d && d < to : rg < core;
                return Kokkos::pow(unit / rg, inside ? inner : outer);
            } else {
                return 1 / (Kokkos::pow(rg, inner) * Kokkos::pow(rg + core, outer));
            }
        }
    };
    KOKKOS_INLINE_FUNCTION Chunk at(double r) const {
        const double t = square.root_at(r);
        Chunk chunk{Real(1), Real(t), Real(square.a), Real(square.c), core, inner, outer, scale,
                    0,       0};
        if constexpr (Broken && rounds<Real>) {
            const double left = radius * radius - square.c;
            const double half = left > 0 ? Kokkos::sqrt(left) : 0;
            chunk.from = Real((-half - t) / square.a);
            chunk.to = Real((half - t) / square.a);
        }
        return chunk;
    }
    KOKKOS_INLINE_FUNCTION Real rest(const Chunk& at) const {
        const Real rg = Functions::root(at.t * at.t + at.c);
        if constexpr (Broken)
            return rg < core ? rest_of(inner, inner_rest, rg) : rest_of(outer, outer_rest, rg);
        else
            return -(inner_rest * Kokkos::log(rg) + outer_rest * Kokkos::log(rg + core) +
                     outer * core_rest / (rg + core));
    }

  private:
    /// The scale is the break's radius, or a number of few digits that has no rest.
    KOKKOS_INLINE_FUNCTION Real rest_of(Real power, Real power_rest, Real rg) const {
        const Real scale_rest = scale == core ? core_rest : 0;
        return power_rest * Kokkos::log(scale / rg) + power * scale_rest / scale;
    }
};

/// exp(-2 / alpha ((rg / core)^alpha - 1)), with alpha in `inner`. It is divided by alpha at each
/// point, because the rounding of 2 / alpha would be the same at all of them.
template <class Real, class Functions>
struct EinastoLine {
    static constexpr bool has_rest = rounds<Real>;
    Quadratic<double> square;  ///< rg^2, kpc^2
    Real core, alpha, core_rest, alpha_rest;

    EinastoLine() = default;
    KOKKOS_INLINE_FUNCTION EinastoLine(const DensityTerm& term, DeviceVec,
                                       const Quadratic<double>& q)
        : square(q),
          core(static_cast<Real>(term.core)),
          alpha(static_cast<Real>(term.inner)),
          core_rest(rounded_off<Real>(term.core)),
          alpha_rest(rounded_off<Real>(term.inner)) {}

    struct Chunk {
        Real scale, t, a, c, core, alpha;
        KOKKOS_INLINE_FUNCTION Real operator()(Real d) const {
            const Real root = t + a * d;
            const Real power = Kokkos::pow(Functions::root(root * root + c) / core, alpha);
            return Kokkos::exp(2 * (1 - power) / alpha);
        }
    };
    KOKKOS_INLINE_FUNCTION Chunk at(double r) const {
        return {Real(1), Real(square.root_at(r)), Real(square.a), Real(square.c), core, alpha};
    }
    KOKKOS_INLINE_FUNCTION Real rest(const Chunk& at) const {
        const Real ratio = Functions::root(at.t * at.t + at.c) / core;
        const Real power = Kokkos::pow(ratio, alpha);
        const Real by_alpha = 2 * ((power - 1) / alpha - power * Kokkos::log(ratio)) / alpha;
        return by_alpha * alpha_rest + 2 * power / core * core_rest;
    }
};

/// exp(-R / 3.5 kpc - |Z| / 0.7 kpc).
template <class Real, class Functions, int Degree>
struct DiskLine {
    static constexpr bool has_rest = rounds<Real>;
    Quadratic<double> square;  ///< R^2, kpc^2
    double height;             ///< |Z| per kpc of the line, in bits of the exponent

    DiskLine() = default;
    KOKKOS_INLINE_FUNCTION DiskLine(const DensityTerm&, DeviceVec direction,
                                    const Quadratic<double>& q)
        : square(q), height(disk_across_plane * std::abs(direction.z)) {}

    struct Chunk {
        Real scale, t, a, c, height, reference;
        KOKKOS_INLINE_FUNCTION Real operator()(Real d) const {
            const Real root = t + a * d;
            const Real across = Real(disk_in_plane) * Functions::root(root * root + c);
            if constexpr (Degree == every_exponential)
                return Functions::power(reference + across + height * d);
            else
                return two_to_small<Degree>(reference - across - height * d);
        }
    };
    KOKKOS_INLINE_FUNCTION Chunk at(double r) const {
        const double t = square.root_at(r);
        if constexpr (Degree == every_exponential) {
            return {Real(1),        Real(t),      Real(square.a),
                    Real(square.c), Real(height), Real(height * r)};
        } else {
            const double across = disk_in_plane * Functions::root(t * t + square.c);
            return {Real(Functions::power(across + height * r)),
                    Real(t),
                    Real(square.a),
                    Real(square.c),
                    Real(height),
                    Real(across)};
        }
    }
    KOKKOS_INLINE_FUNCTION Real rest(const Chunk& at) const {
        constexpr Real bits = rounded_off<Real>(disk_in_plane);  // per kpc
        return -Real(1 / log2_e) * bits * Functions::root(at.t * at.t + at.c);
    }
};

}  // namespace tessera::kernels
