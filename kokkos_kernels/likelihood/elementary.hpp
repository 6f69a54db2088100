// Powers of two, roots and reciprocals for the densities. They have full precision, but no special
// cases and no branches. A host can thus vectorise them, and a device keeps its double-precision
// pipe busy.
#pragma once

#include <Kokkos_Core.hpp>
#include <bit>
#include <cmath>
#include <cstdint>

namespace tessera::kernels {

/// Factor of x^k in 2^x: (ln 2)^k / k!.
constexpr double power_of_two_term(int k) {
    switch (k) {
        case 0: return 1;
        case 1: return 0.6931471805599453094;
        case 2: return 0.2402265069591007123;
        case 3: return 0.05550410866482157995;
        case 4: return 0.009618129107628477162;
        case 5: return 0.001333355814642844342;
        case 6: return 0.0001540353039338160995;
        case 7: return 0.00001525273380405984028;
        case 8: return 0.000001321548679014430949;
        case 9: return 1.017808600923969973e-7;
        default: return 7.054911620801123330e-9;
    }
}

/// 2^x by the series up to x^Degree (at most 10), with Horner's rule (see SeriesReach).
template <int Degree, int From = 0, class Real>
KOKKOS_INLINE_FUNCTION Real two_to_small(Real x) {
    constexpr Real term = static_cast<Real>(power_of_two_term(From));
    if constexpr (From == Degree)
        return term;
    else
        return two_to_small<Degree, From + 1>(x) * x + term;
}

/// Three degrees, and how far from zero each is good to 1e-15 (FP32: 1e-9) relative.
template <class Real>
struct SeriesReach;
template <>
struct SeriesReach<double> {
    static constexpr int low = 5, middle = 7, high = 10;
    static constexpr double low_reach = 0.0136, middle_reach = 0.0724, high_reach = 0.3066;
};
template <>
struct SeriesReach<float> {
    static constexpr int low = 3, middle = 5, high = 7;
    static constexpr double low_reach = 0.018, middle_reach = 0.136, high_reach = 0.407;
};

/// 2^-y for y > -1020, to 3e-16 and rounding, and 0 for y >= 1020. The nearest integer comes from
/// the low bits of a shifted number. A polynomial (interpolated at Chebyshev's points) gives the
/// rest. `Most` is where y is cut off, 1020 or a little more.
template <int Most>
KOKKOS_FORCEINLINE_FUNCTION double two_to_minus_cut_at(double y) {
    const double x = -(y < Most ? y : Most);
    const double shifted = x + 6755399441055744.0;  // 1.5 * 2^52
    const double f = x - (shifted - 6755399441055744.0);
    double p = 7.0725859492692236999e-9;
    p = p * f + 1.0208690299958305835e-7;
    p = p * f + 1.3215442587921689653e-6;
    p = p * f + 0.000015252657260200837064;
    p = p * f + 0.00015403530441736050155;
    p = p * f + 0.0013333558230164973899;
    p = p * f + 0.0096181291076068885273;
    p = p * f + 0.055504108664447719166;
    p = p * f + 0.2402265069591009822;
    p = p * f + 0.69314718055994998286;
    p = p * f + 1.0;
#ifdef __CUDA_ARCH__
    const double power =
        __hiloint2double(__double2hiint(p) + (__double2loint(shifted) << 20), __double2loint(p));
#else
    const auto exponent = std::bit_cast<std::uint64_t>(shifted) << 52;
    const double power = std::bit_cast<double>(std::bit_cast<std::uint64_t>(p) + exponent);
#endif
    return y < 1020.0 ? power : 0.0;
}
KOKKOS_INLINE_FUNCTION double two_to_minus(double y) { return two_to_minus_cut_at<1020>(y); }

/// The same in FP32, to 3e-9 and rounding, and 0 for y >= 125.
KOKKOS_INLINE_FUNCTION float two_to_minus(float y) {
    const float x = -(y < 125.0F ? y : 125.0F);
    const float shifted = x + 12582912.0F;  // 1.5 * 2^23
    const float f = x - (shifted - 12582912.0F);
    float p = 0.000154614446986F;
    p = p * f + 0.00134004281776F;
    p = p * f + 0.00961805667852F;
    p = p * f + 0.0555032722667F;
    p = p * f + 0.240226509223F;
    p = p * f + 0.693147206703F;
    p = p * f + 1.0F;
#ifdef __CUDA_ARCH__
    const float power = __int_as_float(__float_as_int(p) + (__float_as_int(shifted) << 23));
#else
    const auto exponent = std::bit_cast<std::uint32_t>(shifted) << 23;
    const float power = std::bit_cast<float>(std::bit_cast<std::uint32_t>(p) + exponent);
#endif
    return y < 125.0F ? power : 0.0F;
}

/// 1 / sqrt(u), u > 0. A device improves the hardware's estimate (2^-20 or better) by one step of
/// third order. This takes half of a library's operations.
KOKKOS_INLINE_FUNCTION double inverse_root(double u) {
#ifdef __CUDA_ARCH__
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(u));
    const double e = 1.0 - (u * y) * y;
    return y + y * e * (0.5 + 0.375 * e);
#else
    return 1 / std::sqrt(u);
#endif
}

/// sqrt(u), u > 0.
KOKKOS_INLINE_FUNCTION double square_root(double u) {
#ifdef __CUDA_ARCH__
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(u));
    const double root = u * y;
    const double e = 1.0 - root * y;
    return root + root * e * (0.5 + 0.375 * e);
#else
    return std::sqrt(u);
#endif
}

/// 1 / d for d of ordinary size.
KOKKOS_INLINE_FUNCTION double reciprocal(double d) {
#ifdef __CUDA_ARCH__
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(d));
    const double e = 1.0 - d * y;
    return y + y * (e + e * e);
#else
    return 1 / d;
#endif
}

KOKKOS_INLINE_FUNCTION float square_root(float u) {
#ifdef __CUDA_ARCH__
    return __fsqrt_rn(u);
#else
    return std::sqrt(u);
#endif
}

KOKKOS_INLINE_FUNCTION float reciprocal(float d) { return 1 / d; }

/// The functions that the densities call: the functions above, or the library's for the bench's
/// comparison.
struct OwnFunctions {
    template <class Real>
    KOKKOS_INLINE_FUNCTION static Real power(Real y) {
        return two_to_minus(y);
    }
    template <class Real>
    KOKKOS_INLINE_FUNCTION static Real root(Real u) {
        return square_root(u);
    }
    template <class Real>
    KOKKOS_INLINE_FUNCTION static Real inverse(Real d) {
        return reciprocal(d);
    }
};

struct LibraryFunctions {
    template <class Real>
    KOKKOS_INLINE_FUNCTION static Real power(Real y) {
        return Kokkos::exp2(-y);
    }
    template <class Real>
    KOKKOS_INLINE_FUNCTION static Real root(Real u) {
        return Kokkos::sqrt(u);
    }
    template <class Real>
    KOKKOS_INLINE_FUNCTION static Real inverse(Real d) {
        return 1 / d;
    }
};

}  // namespace tessera::kernels
