// First axis of the inverse transform.
#pragma once

#include "kokkos_kernels/device/block_launch.hpp"
#include "kokkos_kernels/docking/column_exchange.hpp"

namespace tessera::kernels {

/// Inverse transform of spectra along x, in place. A block takes W neighbouring columns of one
/// spectrum.
template <int N>
struct InverseX {
    using Shape = TransformShape<N>;
    static constexpr TransformCut cut = Shape::cut;
    static constexpr int W = 16;
    using Exchange = ColumnExchange<N, W>;
    static constexpr int threads = 128;
    static constexpr int shared_bytes = Exchange::size * static_cast<int>(sizeof(Complex));
    static constexpr int blocks_per_unit =
        smaller(blocks_by_shared(shared_bytes), blocks_by_threads(threads, 64));
    static constexpr int tiles = (Shape::plane + W - 1) / W;

    Complex* scores;       ///< [transform][stride]
    const Complex* roots;  ///< [n] exp(2 pi i k / n)

    template <class Block>
    KOKKOS_FUNCTION void operator()(const Block& block) const {
        Complex* data = scores + block.index / tiles * Shape::stride + block.index % tiles * W;
        const int width = smaller(W, Shape::plane - block.index % tiles * W);
        auto* exchange = static_cast<Complex*>(block.shared);
        for (int item = block.rank(); item < W * cut.x2; item += block.size) {
            const int w = item % W, j = item / W;
            if (w >= width) continue;
            Complex v[cut.x1];
            TESSERA_UNROLL
            for (int i = 0; i < cut.x1; ++i) v[i] = data[(j + cut.x2 * i) * Shape::plane + w];
            fft::transform<cut.x1>(v);
            Exchange::store(exchange, v, j, w, roots);
        }
        block.barrier();
        for (int item = block.rank(); item < W * cut.x1; item += block.size)
            if (item % W < width) Exchange::finish(exchange, data + item % W, item / W, item % W);
    }
};

}  // namespace tessera::kernels
