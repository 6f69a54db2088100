// Shared memory between the two stages of a transform along x.
#pragma once

#include "kokkos_kernels/docking/fused_transform_sizes.hpp"
#include "kokkos_kernels/fft/fft_radix.hpp"

namespace tessera::kernels {

/// The shared array between the two stages along x: [p][j][w] for x1 x x2 x W values. It is padded
/// so that lanes reading neighbouring p meet different banks.
template <int N, int W>
struct ColumnExchange {
    static constexpr TransformCut cut = TransformShape<N>::cut;
    static constexpr int block = cut.x2 * W;
    static constexpr int pitch = W < 16 ? block + ((W - block % 16) + 16) % 16 : block;
    static constexpr int size = cut.x1 * pitch;

    /// Ends the first stage: multiplies the x1 results of (j, w) by their roots and stores them.
    /// The root of result p, exp(2 pi i j p / n), is root(p).
    template <class Root>
    KOKKOS_FUNCTION static void store(Complex* exchange, const Complex (&v)[cut.x1], int j, int w,
                                      const Root& root) {
        Complex* to = exchange + j * W + w;
        TESSERA_UNROLL
        for (int p = 0; p < cut.x1; ++p)
            to[p * pitch] = p == 0 ? v[0] : fft::multiply(v[p], root(p));
    }

    /// The second stage for (p, w). The results, or their conjugates, belong to x = p + x1 q.
    template <bool Conjugate = false>
    KOKKOS_FUNCTION static void finish(const Complex* exchange, Complex* out, int p, int w) {
        const Complex* from = exchange + p * pitch + w;
        Complex v[cut.x2];
        TESSERA_UNROLL
        for (int j = 0; j < cut.x2; ++j) v[j] = from[j * W];
        fft::transform<cut.x2>(v);
        Complex* to = out + p * TransformShape<N>::plane;
        TESSERA_UNROLL
        for (int q = 0; q < cut.x2; ++q)  // offsets that are known when this is compiled
            to[q * (cut.x1 * TransformShape<N>::plane)] =
                Conjugate ? Complex(v[q].real(), -v[q].imag()) : v[q];
    }
};

}  // namespace tessera::kernels
