// Sums over the sixteen nodes of a panel. A host thread keeps one sum for each node in its vector
// registers. A GPU thread takes one node after another, and its neighbours take other lines of
// sight. Also functions without branches and calls, which a host can vectorise.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "kokkos_kernels/device/views.hpp"
#include "kokkos_kernels/likelihood/compressed/problem.hpp"
#include "kokkos_kernels/likelihood/elementary.hpp"

/// For a loop over the nodes of a panel, or over the stars of a block.
#if defined(__CUDA_ARCH__)
#define TESSERA_LANE_LOOP _Pragma("unroll 2")
#elif defined(__CUDACC__)
#define TESSERA_LANE_LOOP
#else
#define TESSERA_LANE_LOOP _Pragma("omp simd")
#endif

namespace tessera::kernels::compressed {

/// The partial sums of one thread over the nodes of panels. Node j goes into partial sum of(j).
struct Lanes {
#ifdef __CUDA_ARCH__
    static constexpr int each = 1;
    __device__ static int of(int) { return 0; }
    __device__ static double sum(const double (&value)[each]) { return value[0]; }
#else
    static constexpr int each = panel_size;
    KOKKOS_FORCEINLINE_FUNCTION static int of(int node) { return node; }
    KOKKOS_FORCEINLINE_FUNCTION static double sum(const double (&value)[each]) {
        double pairs[8];
        for (int i = 0; i < 8; ++i) pairs[i] = value[i] + value[i + 8];
        return ((pairs[0] + pairs[4]) + (pairs[2] + pairs[6])) +
               ((pairs[1] + pairs[5]) + (pairs[3] + pairs[7]));
    }
#endif
};

/// The sum over the 32 threads of a warp, on all of them, in pairs of a fixed order. A host thread
/// is alone.
KOKKOS_FORCEINLINE_FUNCTION double warp_sum(double value) {
#ifdef __CUDA_ARCH__
    for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(0xffffffffU, value, step);
#endif
    return value;
}

/// Error estimate of a panel's sum of weight times values. The last two coefficients of its
/// Legendre series are multiplied by the moments of the measure. Their square estimates the degrees
/// beyond the rule's, which fall equally fast again. See docs/method/likelihood-quadrature.md.
KOKKOS_FORCEINLINE_FUNCTION double panel_error(double even, double odd, double sum,
                                               const double* remainder) {
    const double a = fabs(even), b = fabs(odd);
    const double reach = (a + b) * remainder[2], size = fabs(sum);
    return a * fabs(remainder[0]) + b * fabs(remainder[1]) +
           (reach < size ? reach * reach / size : reach);
}

/// The nodes of a panel and what a sum over them needs.
struct PanelNodes {
    const double* radius;  ///< [16] the distances, over `scale`
    double scale;
    const double* weight;     ///< [16]
    const double* remainder;  ///< [4], or null if no error estimate is requested
    const double* tail;       ///< [2][16] the last Legendre coefficients
};

/// The densities at the nodes of a panel, for the error estimate of their sum. It is 0 if the nodes
/// are the points or no estimate is requested.
class NodeDensities {
  public:
    KOKKOS_FORCEINLINE_FUNCTION explicit NodeDensities(const PanelNodes& nodes) : nodes_(nodes) {}

#ifdef __CUDA_ARCH__
    __device__ void put(int node, double density) {
        if (nodes_.remainder == nullptr) return;
        value_ += nodes_.weight[node] * density;
        even_ += nodes_.tail[node] * density;
        odd_ += nodes_.tail[panel_size + node] * density;
    }
    __device__ double error() const {
        if (nodes_.remainder == nullptr || nodes_.remainder[2] == 0) return 0;
        return panel_error(even_, odd_, value_, nodes_.remainder);
    }

  private:
    double value_ = 0, even_ = 0, odd_ = 0;
#else
    KOKKOS_FORCEINLINE_FUNCTION void put(int node, double density) { density_[node] = density; }
    KOKKOS_FORCEINLINE_FUNCTION double error() const {
        if (nodes_.remainder == nullptr || nodes_.remainder[2] == 0) return 0;
        double value[panel_size], even[panel_size], odd[panel_size];
        TESSERA_LANE_LOOP
        for (int j = 0; j < panel_size; ++j) {
            value[j] = nodes_.weight[j] * density_[j];
            even[j] = nodes_.tail[j] * density_[j];
            odd[j] = nodes_.tail[panel_size + j] * density_[j];
        }
        return panel_error(Lanes::sum(even), Lanes::sum(odd), Lanes::sum(value), nodes_.remainder);
    }

  private:
    double density_[panel_size];
#endif
    const PanelNodes& nodes_;
};

/// exp(y) for |y| up to about 700, to |y| roundings, and 0 far below.
KOKKOS_FORCEINLINE_FUNCTION double exp_any(double y) {
#ifdef __CUDA_ARCH__
    constexpr int cut = 1020;
#else
    // Not 1020: if both tests had the same threshold, GCC would make branches of them.
    constexpr int cut = 1021;
#endif
    return two_to_minus_cut_at<cut>(y * -1.44269504088896340736);
}
KOKKOS_FORCEINLINE_FUNCTION double exp_minus(double t) { return exp_any(-t); }

/// Natural logarithm of a positive normal number x, to about 1 ulp of the larger of log x and ln 2.
KOKKOS_FORCEINLINE_FUNCTION double log_positive(double x) {
#ifdef __CUDA_ARCH__
    return log(x);
#else
    // x = 2^n m with m in [sqrt(1/2), sqrt(2)): log m = 2 artanh((m - 1) / (m + 1)).
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const std::uint64_t shifted = bits - 0x3fe6a09e667f3bcdULL;
    const std::uint64_t whole = shifted & 0xfff0000000000000ULL;
    const double m = std::bit_cast<double>(bits - whole);
    // The exponent as a double, without a conversion that older vector units lack.
    const double n = std::bit_cast<double>(((whole >> 52) ^ 0x800U) + 0x4330000000000000ULL) -
                     (4503599627370496.0 + 2048.0);
    const double s = (m - 1) / (m + 1), s2 = s * s;
    double p = 2.0 / 23;
    p = p * s2 + 2.0 / 21;
    p = p * s2 + 2.0 / 19;
    p = p * s2 + 2.0 / 17;
    p = p * s2 + 2.0 / 15;
    p = p * s2 + 2.0 / 13;
    p = p * s2 + 2.0 / 11;
    p = p * s2 + 2.0 / 9;
    p = p * s2 + 2.0 / 7;
    p = p * s2 + 2.0 / 5;
    p = p * s2 + 2.0 / 3;
    const double tail = s * s2 * p + n * 1.90821492927058770002e-10;
    return (2 * s + tail) + n * 6.93147180369123816490e-01;
#endif
}

/// Decimal logarithm of any number.
KOKKOS_FORCEINLINE_FUNCTION double decimal_log(double x) {
#ifdef __CUDA_ARCH__
    return log10(x);
#else
    if (!(x > 1e-300 && x < 1e300)) return std::log10(x);
    return log_positive(x) * 0.43429448190325182765;
#endif
}

}  // namespace tessera::kernels::compressed
