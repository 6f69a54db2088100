// First axis of the inverse transform, alone or fused with the sum over energy channels.
#pragma once

#include "kokkos_kernels/device/block_launch.hpp"
#include "kokkos_kernels/docking/accumulate.hpp"
#include "kokkos_kernels/docking/fused_inverse_sizes.hpp"
#include "kokkos_kernels/fft/fft_radix.hpp"

namespace tessera::kernels {

/// The shared array between the two stages along x: [p][j][w] for x1 x x2 x W values. It is padded
/// so that lanes reading neighbouring p meet different banks.
template <int N, int W>
struct ColumnExchange {
    static constexpr TransformCut cut = InverseShape<N>::cut;
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

    /// The second stage for (p, w). The results belong to x = p + x1 q.
    KOKKOS_FUNCTION static void finish(const Complex* exchange, Complex* out, int p, int w) {
        Complex v[cut.x2];
        TESSERA_UNROLL
        for (int j = 0; j < cut.x2; ++j) v[j] = exchange[p * pitch + j * W + w];
        fft::transform<cut.x2>(v);
        TESSERA_UNROLL
        for (int q = 0; q < cut.x2; ++q) out[(p + cut.x1 * q) * InverseShape<N>::plane] = v[q];
    }
};

/// Inverse transform of spectra along x, in place. A block takes W neighbouring columns of one
/// spectrum.
template <int N>
struct InverseX {
    using Shape = InverseShape<N>;
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

/// scores[(member * B + base) * sets + set] = inverse transform along x of
///     sum_c weight(set, c) receptor[member][c] * conj(ligand[base][c]).
/// A block owns W columns (ky, kz) and `bases` bases. It keeps their ligand values in shared memory
/// while it walks over members and sets, `groups` at once. A thread sums the x1 frequencies of its
/// first stage for all bases, so that every loaded receptor value serves all bases.
template <int N, int Channels, bool OneTerm, int W = transform_cut(N).width,
          int Groups = transform_cut(N).groups, int Bases = transform_cut(N).bases>
struct AccumulateInverseX {
    using Shape = InverseShape<N>;
    static constexpr TransformCut cut = Shape::cut;
    static constexpr int groups = Groups, bases = Bases;
    using Exchange = ColumnExchange<N, W>;
    static constexpr int group_threads = W * cut.x2;
    static constexpr int items = groups * group_threads;
    static constexpr int threads = (items + 31) / 32 * 32;
    static constexpr int ligand_size = bases * Channels * N * W;
    static constexpr int shared_bytes =
        (N + ligand_size + groups * Exchange::size) * static_cast<int>(sizeof(Complex));
    static_assert(shared_bytes <= max_block_shared && threads <= 1024);
    static constexpr int blocks_per_unit =
        smaller(blocks_by_shared(shared_bytes), blocks_by_threads(threads, 112));
    static constexpr int tiles = (Shape::plane + W - 1) / W;
    static constexpr int parts = bases_per_batch / bases;
    static_assert(parts * bases == bases_per_batch);

    const Complex* receptor;  ///< [member * channels + channel][stride]
    const Complex* ligand;    ///< [base * channels + channel][stride]
    Complex* scores;          ///< [(member * B + base) * sets + set][stride]
    const Complex* roots;     ///< [n] exp(2 pi i k / n)
    ChannelTable table;
    int members;

    static int blocks() { return tiles * parts; }

    template <class Block>
    KOKKOS_FUNCTION void operator()(const Block& block) const {
        constexpr int per_thread = (items + Block::size - 1) / Block::size;
        const int column = block.index / parts * W, first_base = block.index % parts * bases;
        const int width = smaller(W, Shape::plane - column);
        auto* turns = static_cast<Complex*>(block.shared);
        Complex* weights = turns + N;
        Complex* exchange = weights + ligand_size;
        for (int k = block.rank(); k < N; k += block.size) turns[k] = roots[k];
        load_ligand(block, weights, column, width, first_base);
        block.barrier();
        const int total = members * table.sets;
        for (int first = 0; first < total; first += groups) {
            Complex sums[per_thread][bases][cut.x1];
            TESSERA_UNROLL
            for (int s = 0; s < per_thread; ++s) {
                const Item item(block.rank() + s * Block::size, first);
                if (item.valid(total, width)) accumulate(sums[s], item, weights, column);
            }
            TESSERA_UNROLL
            for (int b = 0; b < bases; ++b) {
                TESSERA_UNROLL
                for (int s = 0; s < per_thread; ++s) {
                    const Item item(block.rank() + s * Block::size, first);
                    if (!item.valid(total, width)) continue;
                    fft::transform<cut.x1>(sums[s][b]);
                    Exchange::store(exchange + item.group * Exchange::size, sums[s][b], item.j,
                                    item.w, turns);
                }
                block.barrier();
                finish(block, exchange, first, column, width, first_base + b);
                block.barrier();
            }
        }
    }

  private:
    /// One thread's share of the first stage.
    struct Item {
        int group, j, w, row;  ///< row = member * sets + set
        KOKKOS_FUNCTION Item(int index, int first)
            : group(index / group_threads),
              j(index / W % cut.x2),
              w(index % W),
              row(first + group) {}
        KOKKOS_FUNCTION bool valid(int total, int width) const {
            return group < groups && row < total && w < width;
        }
    };

    template <class Block>
    KOKKOS_FUNCTION void load_ligand(const Block& block, Complex* weights, int column, int width,
                                     int first_base) const {
        const Complex* in = ligand + std::int64_t{first_base} * Channels * Shape::stride + column;
        for (int item = block.rank(); item < ligand_size; item += block.size) {
            const int w = item % W, kx = item / W % N, row = item / (W * N);
            weights[item] = w < width ? in[row * Shape::stride + kx * Shape::plane + w] : Complex();
        }
    }

    KOKKOS_FUNCTION void accumulate(Complex (&sums)[bases][cut.x1], const Item& item,
                                    const Complex* weights, int column) const {
        const int member = OneTerm ? item.row : item.row / table.sets;
        const int set = OneTerm ? 0 : item.row % table.sets;
        const Complex* in =
            receptor + member * Channels * Shape::stride + item.j * Shape::plane + column + item.w;
        const Complex* lig = weights + item.j * W + item.w;
        float factor[Channels];
        TESSERA_UNROLL
        for (int c = 0; c < Channels; ++c)
            factor[c] = OneTerm ? 1.0F : table.weight[set][table.term[c]];
        TESSERA_UNROLL
        for (int i = 0; i < cut.x1; ++i) {
            Complex values[Channels];
            TESSERA_UNROLL
            for (int c = 0; c < Channels; ++c) {
                values[c] = in[c * Shape::stride + i * cut.x2 * Shape::plane];
                if (!OneTerm)
                    values[c] = Complex(factor[c] * values[c].real(), factor[c] * values[c].imag());
            }
            TESSERA_UNROLL
            for (int b = 0; b < bases; ++b) {
                float real = 0, imag = 0;
                TESSERA_UNROLL
                for (int c = 0; c < Channels; ++c) {
                    const Complex l = lig[(b * Channels + c) * N * W + i * cut.x2 * W];
                    // Four separate statements give four fused multiply-adds.
                    real += values[c].real() * l.real();
                    real += values[c].imag() * l.imag();
                    imag += values[c].imag() * l.real();
                    imag -= values[c].real() * l.imag();
                }
                sums[b][i] = Complex(real, imag);
            }
        }
    }

    template <class Block>
    KOKKOS_FUNCTION void finish(const Block& block, const Complex* exchange, int first, int column,
                                int width, int base) const {
        const int total = members * table.sets;
        for (int index = block.rank(); index < groups * W * cut.x1; index += block.size) {
            const int w = index % W, p = index / W % cut.x1, group = index / (W * cut.x1);
            const int row = first + group;
            if (row >= total || w >= width) continue;
            const int member = row / table.sets, set = row % table.sets;
            const std::int64_t transform =
                (std::int64_t{member} * bases_per_batch + base) * table.sets + set;
            Exchange::finish(exchange + group * Exchange::size,
                             scores + transform * Shape::stride + column + w, p, w);
        }
    }
};

}  // namespace tessera::kernels
