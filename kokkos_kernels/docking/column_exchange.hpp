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
    KOKKOS_FUNCTION static void store(Complex* exchange, const Complex (&v)[cut.x1], int j, int w,
                                      const Complex* roots) {
        TESSERA_UNROLL
        for (int p = 0; p < cut.x1; ++p)
            exchange[p * pitch + j * W + w] = p == 0 ? v[0] : fft::multiply(v[p], roots[j * p]);
    }

    /// The second stage for (p, w). The results, or their conjugates, belong to x = p + x1 q.
    template <bool Conjugate = false>
    KOKKOS_FUNCTION static void finish(const Complex* exchange, Complex* out, int p, int w) {
        Complex v[cut.x2];
        TESSERA_UNROLL
        for (int j = 0; j < cut.x2; ++j) v[j] = exchange[p * pitch + j * W + w];
        fft::transform<cut.x2>(v);
        TESSERA_UNROLL
        for (int q = 0; q < cut.x2; ++q)
            out[(p + cut.x1 * q) * TransformShape<N>::plane] =
                Conjugate ? Complex(v[q].real(), -v[q].imag()) : v[q];
    }
};

}  // namespace tessera::kernels
