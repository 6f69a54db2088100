// The transforms along x: the last axis of the forward one and the first axis of the inverse one.
#pragma once

#include "kokkos_kernels/device/block_launch.hpp"
#include "kokkos_kernels/docking/column_exchange.hpp"

namespace tessera::kernels {

enum class Direction { forward, inverse };

/// Transforms spectra along x, in place. A block takes W neighbouring columns of one spectrum.
/// Forward: the planes are those that ForwardPlanes leaves. Those farther than `reach` from x = 0
/// count as zero, whatever they hold. The results are conjugated, so that they are the forward
/// transforms (exponent -2 pi i) of the real grids.
template <int N, Direction direction>
struct TransformX {
    using Shape = TransformShape<N>;
    static constexpr bool forward = direction == Direction::forward;
    static constexpr TransformCut cut = Shape::cut;
    static constexpr int W = 16;
    using Exchange = ColumnExchange<N, W>;
    static constexpr int threads = 128;
    static constexpr int shared_bytes = Exchange::size * static_cast<int>(sizeof(Complex));
    static constexpr bool may_not_fit = true;  ///< FusedTransforms::supports()
    static constexpr int blocks_per_unit =
        smaller(blocks_by_shared(shared_bytes), blocks_by_threads(threads, 64));
    static constexpr int tiles = (Shape::plane + W - 1) / W;

    Complex* spectra;      ///< [transform][stride]
    const Complex* roots;  ///< [n] exp(2 pi i k / n)
    int reach = N;         ///< of a forward transform

    template <class Block>
    KOKKOS_FUNCTION void operator()(const Block& block) const {
        Complex* data = spectra + block.index / tiles * Shape::stride + block.index % tiles * W;
        const int width = smaller(W, Shape::plane - block.index % tiles * W);
        auto* exchange = static_cast<Complex*>(block.shared);
        for (int item = block.rank(); item < W * cut.x2; item += block.size) {
            const int w = item % W, j = item / W;
            if (w >= width) continue;
            Complex v[cut.x1];
            TESSERA_UNROLL
            for (int i = 0; i < cut.x1; ++i) {
                const int x = j + cut.x2 * i;
                v[i] = !forward || is_near<N>(x, reach) ? data[x * Shape::plane + w] : Complex();
            }
            fft::transform<cut.x1>(v);
            Exchange::store(exchange, v, j, w, [&](int p) { return roots[j * p]; });
        }
        block.barrier();
        for (int item = block.rank(); item < W * cut.x1; item += block.size)
            if (item % W < width)
                Exchange::template finish<forward>(exchange, data + item % W, item / W, item % W);
    }
};

}  // namespace tessera::kernels
