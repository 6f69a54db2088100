// The density of a disk with scales of its own along one line of sight (see density_lines.hpp).
#pragma once

#include "kokkos_kernels/likelihood/exact/density_lines.hpp"

namespace tessera::kernels {

/// exp(-R / length - |Z| / height). The Sun is in the plane, so |Z| is linear along a line.
template <class Real, class Functions, int Degree>
struct OwnDiskLine {
    static constexpr bool has_rest = rounds<Real>;
    Quadratic<double> square;  ///< R^2, kpc^2
    double height;             ///< |Z| per kpc of the line, in bits of the exponent
    double in_plane;           ///< bits per kpc

    OwnDiskLine() = default;
    KOKKOS_INLINE_FUNCTION OwnDiskLine(const DensityTerm& term, DeviceVec direction,
                                       const Quadratic<double>& q)
        : square(q), height(term.outer * std::abs(direction.z)), in_plane(term.inner) {}

    struct Chunk {
        Real scale, t, a, c, height, reference, in_plane;
        KOKKOS_INLINE_FUNCTION Real operator()(Real d) const {
            const Real root = t + a * d;
            const Real across = in_plane * Functions::root(root * root + c);
            if constexpr (Degree == every_exponential)
                return Functions::power(reference + across + height * d);
            else
                return two_to_small<Degree>(reference - across - height * d);
        }
    };
    KOKKOS_INLINE_FUNCTION Chunk at(double r) const {
        const double t = square.root_at(r);
        const double across = in_plane * Functions::root(t * t + square.c);
        constexpr bool every = Degree == every_exponential;
        return {every ? Real(1) : Real(Functions::power(across + height * r)),
                Real(t),
                Real(square.a),
                Real(square.c),
                Real(height),
                every ? Real(height * r) : Real(across),
                Real(in_plane)};
    }
    KOKKOS_INLINE_FUNCTION Real rest(const Chunk& at) const {
        return -Real(1 / log2_e) * rounded_off<Real>(in_plane) *
               Functions::root(at.t * at.t + at.c);
    }
};

}  // namespace tessera::kernels
