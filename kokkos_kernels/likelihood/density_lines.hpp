// Densities along one line of sight. A line gives for each chunk of neighbouring nodes (about a
// reference radius) a function of the distance from there, and the factor that it leaves out. What
// holds for a chunk or a line is computed in double; nodes are in `Real`.
#pragma once

#include "kokkos_kernels/likelihood/density_terms.hpp"
#include "kokkos_kernels/likelihood/elementary.hpp"

namespace tessera::kernels {

/// In place of a series' degree: every exponential by itself.
inline constexpr int every_exponential = 0;

template <class Real, class Functions, int Degree>
struct StreamLine {
    Quadratic<double> exponent;  ///< in bits

    StreamLine() = default;
    KOKKOS_INLINE_FUNCTION StreamLine(const DensityTerm&, DeviceVec, const Quadratic<double>& q)
        : exponent(q) {}

    /// 2^-((t + a d)^2 + c) = 2^-(t^2 + c) * 2^-(d (2 a t + a^2 d)): one full exponential a chunk.
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

/// 1 / (rg (rg + core)^3).
template <class Real, class Functions>
struct HernquistLine {
    Quadratic<double> square;  ///< rg^2, kpc^2
    Real core;

    HernquistLine() = default;
    KOKKOS_INLINE_FUNCTION HernquistLine(const DensityTerm& term, DeviceVec,
                                         const Quadratic<double>& q)
        : square(q), core(static_cast<Real>(term.core)) {}

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
};

/// Any exponents, and the broken power law: rare, so by the library's power.
template <class Real, class Functions, bool Broken>
struct PowerLine {
    Quadratic<double> square;  ///< rg^2, kpc^2
    Real core, inner, outer;

    PowerLine() = default;
    KOKKOS_INLINE_FUNCTION PowerLine(const DensityTerm& term, DeviceVec, const Quadratic<double>& q)
        : square(q),
          core(static_cast<Real>(term.core)),
          inner(static_cast<Real>(term.inner)),
          outer(static_cast<Real>(term.outer)) {}

    struct Chunk {
        Real scale, t, a, c, core, inner, outer;
        KOKKOS_INLINE_FUNCTION Real operator()(Real d) const {
            const Real root = t + a * d;
            const Real rg = Functions::root(root * root + c);
            if constexpr (Broken)
                return Kokkos::pow(Real(power_law_scale) / rg,
                                   rg < Real(power_law_break) ? inner : outer);
            else
                return 1 / (Kokkos::pow(rg, inner) * Kokkos::pow(rg + core, outer));
        }
    };
    KOKKOS_INLINE_FUNCTION Chunk at(double r) const {
        return {Real(1), Real(square.root_at(r)), Real(square.a), Real(square.c), core, inner,
                outer};
    }
};

/// exp(-R / 3.5 kpc - |Z| / 0.7 kpc).
template <class Real, class Functions, int Degree>
struct DiskLine {
    Quadratic<double> square;  ///< R^2, kpc^2
    double height;             ///< |Z| a kpc of the line, in bits of the exponent

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
};

}  // namespace tessera::kernels
