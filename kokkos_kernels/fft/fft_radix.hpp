// Discrete Fourier transforms of a few points in registers, with exponent +2 pi i. The hand-written
// inverse transforms are built from them. Everything except the data is known at compile time.
#pragma once

#include "kokkos_kernels/device/views.hpp"

/// Loops over register arrays must unroll on a device. A host compiler decides for itself.
#if defined(__CUDA_ARCH__)
#define TESSERA_UNROLL _Pragma("unroll")
#else
#define TESSERA_UNROLL
#endif

namespace tessera::kernels {

namespace fft {

/// cos and sin of 2 pi numerator / denominator, to double rounding, at compile time.
struct Root {
    double cos, sin;
};

constexpr double pi = 3.14159265358979323846264338327950288;

/// Taylor series, for |x| <= pi / 4.
constexpr Root root_by_series(double x) {
    double cosine = 1, sine = 1;
    for (int k = 12; k >= 1; --k) {
        cosine = 1 - x * x / ((2 * k - 1) * (2 * k)) * cosine;
        sine = 1 - x * x / ((2 * k) * (2 * k + 1)) * sine;
    }
    return {cosine, x * sine};
}

constexpr Root root_of_unity(int numerator, int denominator) {
    numerator %= denominator;
    const int quarter = (8 * numerator + denominator) / (2 * denominator) % 4;  // nearest axis
    const int rest =
        4 * numerator - denominator * ((8 * numerator + denominator) / (2 * denominator));
    const Root r = root_by_series(2 * pi * rest / (4.0 * denominator));
    if (quarter == 0) return r;
    if (quarter == 1) return {-r.sin, r.cos};
    if (quarter == 2) return {-r.cos, -r.sin};
    return {r.sin, -r.cos};
}

/// All roots of order R in float.
template <int R>
struct Roots {
    float cos[R] = {}, sin[R] = {};
    constexpr Roots() {
        for (int k = 0; k < R; ++k) {
            cos[k] = static_cast<float>(root_of_unity(k, R).cos);
            sin[k] = static_cast<float>(root_of_unity(k, R).sin);
        }
    }
};

KOKKOS_INLINE_FUNCTION Complex multiply(Complex a, Complex b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

KOKKOS_INLINE_FUNCTION Complex times_i(Complex a) { return {-a.imag(), a.real()}; }

/// v * exp(2 pi i K / R).
template <int K, int R>
KOKKOS_INLINE_FUNCTION Complex turned(Complex v) {
    if constexpr (K % R == 0) {
        return v;
    } else if constexpr (4 * K == R) {
        return times_i(v);
    } else if constexpr (2 * K == R) {
        return {-v.real(), -v.imag()};
    } else if constexpr (4 * K == 3 * R) {
        return {v.imag(), -v.real()};
    } else if constexpr (8 * K == R || 8 * K == 3 * R) {
        constexpr float c = static_cast<float>(root_of_unity(1, 8).cos);
        const Complex a{c * (v.real() - v.imag()), c * (v.real() + v.imag())};
        return 8 * K == R ? a : times_i(a);
    } else {
        constexpr Root root = root_of_unity(K, R);
        return multiply(v, {static_cast<float>(root.cos), static_cast<float>(root.sin)});
    }
}

/// The first factor of R, which is transformed first. If it is R itself, the transform is done
/// directly.
constexpr int first_factor(int r) {
    if (r == 4) return 4;
    for (int f : {4, 3, 5, 7, 2})
        if (r % f == 0) return f;
    return r;
}

template <int R>
KOKKOS_INLINE_FUNCTION void transform(Complex (&v)[R]);

/// An odd R is done in pairs (k, R - k).
template <int R>
KOKKOS_INLINE_FUNCTION void transform_odd(Complex (&v)[R]) {
    constexpr int half = R / 2;
    constexpr Roots<R> roots;
    Complex sum[half], difference[half];
    Complex total = v[0];
    TESSERA_UNROLL
    for (int k = 0; k < half; ++k) {
        sum[k] = v[k + 1] + v[R - 1 - k];
        difference[k] = v[k + 1] - v[R - 1 - k];
        total += sum[k];
    }
    TESSERA_UNROLL
    for (int m = 1; m <= half; ++m) {
        Complex even = v[0], odd;
        TESSERA_UNROLL
        for (int k = 0; k < half; ++k) {
            const float c = roots.cos[(k + 1) * m % R], s = roots.sin[(k + 1) * m % R];
            even += Complex(c * sum[k].real(), c * sum[k].imag());
            odd += Complex(-s * difference[k].imag(), s * difference[k].real());
        }
        v[m] = even + odd;
        v[R - m] = even - odd;
    }
    v[0] = total;
}

KOKKOS_INLINE_FUNCTION void transform_4(Complex (&v)[4]) {
    const Complex a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = times_i(v[1] - v[3]);
    v[0] = a + c;
    v[1] = b + d;
    v[2] = a - c;
    v[3] = b - d;
}

/// One column j of the first factor A: transforms v[j + B i] over i, and multiplies the results by
/// their roots.
template <int A, int B, int J, int P = 0>
KOKKOS_INLINE_FUNCTION void turn_column(Complex (&column)[A]) {
    if constexpr (P < A) {
        column[P] = turned<J * P % (A * B), A * B>(column[P]);
        turn_column<A, B, J, P + 1>(column);
    }
}

template <int A, int B, int J = 0>
KOKKOS_INLINE_FUNCTION void transform_columns(Complex (&v)[A * B]) {
    if constexpr (J < B) {
        Complex column[A];
        TESSERA_UNROLL
        for (int i = 0; i < A; ++i) column[i] = v[J + B * i];
        transform<A>(column);
        turn_column<A, B, J>(column);
        TESSERA_UNROLL
        for (int i = 0; i < A; ++i) v[J + B * i] = column[i];
        transform_columns<A, B, J + 1>(v);
    }
}

/// v[k] = sum_n v[n] exp(2 pi i k n / R), in natural order.
template <int R>
KOKKOS_INLINE_FUNCTION void transform(Complex (&v)[R]) {
    constexpr int A = first_factor(R), B = R / A;
    if constexpr (R == 1) {
        return;
    } else if constexpr (R == 2) {
        const Complex a = v[0];
        v[0] = a + v[1];
        v[1] = a - v[1];
    } else if constexpr (R == 4) {
        transform_4(v);
    } else if constexpr (B == 1) {
        transform_odd<R>(v);
    } else {
        transform_columns<A, B>(v);
        Complex out[R];
        TESSERA_UNROLL
        for (int p = 0; p < A; ++p) {
            Complex row[B];
            TESSERA_UNROLL
            for (int j = 0; j < B; ++j) row[j] = v[j + B * p];
            transform<B>(row);
            TESSERA_UNROLL
            for (int q = 0; q < B; ++q) out[p + A * q] = row[q];
        }
        TESSERA_UNROLL
        for (int k = 0; k < R; ++k) v[k] = out[k];
    }
}

}  // namespace fft

}  // namespace tessera::kernels
