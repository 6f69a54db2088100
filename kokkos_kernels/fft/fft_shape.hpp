// Sizes of a real transform on a periodic cube and of the arrays that hold it.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace tessera::kernels {

/// A real 3-D transform of n x n x n points; n even. Spectra keep kz = 0 .. n/2.
struct FftShape {
    int n = 0;

    int half() const { return n / 2 + 1; }
    std::int64_t points() const { return std::int64_t{n} * n * n; }
    std::int64_t frequencies() const { return std::int64_t{n} * n * half(); }
    /// Distance between consecutive spectra, padded so that each starts 128-byte aligned. A score
    /// grid that is transformed in place has rows of 2 * half() floats and the same distance in
    /// bytes.
    std::int64_t spectrum_stride() const { return (frequencies() + 15) / 16 * 16; }
};

/// Memory that a pair of cuFFT plans may take in addition to the arrays: up to one batch of spectra
/// each.
inline std::int64_t cufft_workspace_bytes(FftShape shape, int batch) {
    return std::int64_t{2} * batch * shape.spectrum_stride() *
           static_cast<std::int64_t>(2 * sizeof(float));
}

/// Grid sizes up to 240 that have transforms of our own (docking/fused_transform_sizes.hpp). Every
/// backend chooses among them, so that the grid does not depend on the device.
inline constexpr int fast_fft_sizes[] = {48,  54,  60,  64,  72,  80,  90,  96,  100, 108, 112, 120,
                                         128, 140, 144, 160, 168, 180, 192, 200, 216, 224, 240};

/// Smallest good size >= minimum. Up to 240 it is a fast size, and above that the smallest even 2^a
/// 3^b 5^c 7^d.
inline int good_fft_size(int minimum) {
    for (int n : fast_fft_sizes)
        if (n >= minimum) return n;
    for (int n = minimum + minimum % 2;; n += 2) {
        int rest = n;
        for (int factor : {2, 3, 5, 7})
            while (rest % factor == 0) rest /= factor;
        if (rest == 1) return n;
    }
}

}  // namespace tessera::kernels
