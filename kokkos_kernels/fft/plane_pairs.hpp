// Two real planes as one complex plane, a + i b. Transforming the pair needs as much arithmetic as
// two real transforms. But FFTW has vector code for complex transforms of every size.
#pragma once

#include "kokkos_kernels/device/views.hpp"

namespace tessera::kernels::plane_pairs {

/// How a pair lies in memory: n rows of n complex numbers, `stride` apart.
struct Layout {
    int n;
    int stride;

    /// Rows start at odd multiples of 32 bytes. They are aligned for vectors, and a column does not
    /// crowd into a few sets of the cache.
    explicit Layout(int n) : n(n), stride(n + (12 - n % 8) % 8) {}

    int numbers() const { return n * stride; }
    int row(int k) const { return k * stride; }
    /// The row of the frequency -k.
    int opposite_row(int k) const { return k == 0 ? 0 : (n - k) * stride; }
};

/// Writes two planes with rows of n floats as one.
inline void join_planes(const float* a, const float* b, Layout layout, Complex* pair) {
    const int n = layout.n;
    for (int y = 0; y < n; ++y, a += n, b += n)
        for (int z = 0; z < n; ++z) pair[layout.row(y) + z] = Complex(a[z], b[z]);
}

/// Writes the planes of a pair with rows of 2 * (n / 2 + 1) floats.
inline void split_planes(const Complex* pair, Layout layout, float* a, float* b) {
    const int n = layout.n, width = 2 * (n / 2 + 1);
    for (int y = 0; y < n; ++y, a += width, b += width)
        for (int z = 0; z < n; ++z) {
            a[z] = pair[layout.row(y) + z].real();
            b[z] = pair[layout.row(y) + z].imag();
        }
}

/// The spectrum of a + i b from those of the real planes a and b. They keep columns
/// kz = 0 .. n / 2, from which the others follow by symmetry.
inline void join_spectra(const Complex* a, const Complex* b, Layout layout, Complex* pair) {
    const int n = layout.n, half = n / 2 + 1;
    for (int ky = 0; ky < n; ++ky, a += half, b += half) {
        Complex* const row = pair + layout.row(ky);
        for (int kz = 0; kz < half; ++kz)
            row[kz] = Complex(a[kz].real() - b[kz].imag(), a[kz].imag() + b[kz].real());
        // conj(a) + i conj(b) belongs to (-ky, -kz).
        Complex* const opposite = pair + layout.opposite_row(ky) + n;
        for (int kz = 1; kz < half - 1; ++kz)
            opposite[-kz] = Complex(a[kz].real() + b[kz].imag(), b[kz].real() - a[kz].imag());
    }
}

/// Undoes join_spectra().
inline void split_spectra(const Complex* pair, Layout layout, Complex* a, Complex* b) {
    const int n = layout.n, half = n / 2 + 1;
    for (int ky = 0; ky < n; ++ky, a += half, b += half) {
        const Complex* const row = pair + layout.row(ky);
        const Complex* const opposite_row = pair + layout.opposite_row(ky);
        for (int kz = 0; kz < half; ++kz) {
            const Complex here = row[kz], opposite = opposite_row[kz == 0 ? 0 : n - kz];
            a[kz] = Complex(0.5F * (here.real() + opposite.real()),
                            0.5F * (here.imag() - opposite.imag()));
            b[kz] = Complex(0.5F * (here.imag() + opposite.imag()),
                            0.5F * (opposite.real() - here.real()));
        }
    }
}

}  // namespace tessera::kernels::plane_pairs
