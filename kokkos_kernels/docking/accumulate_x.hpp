// The sum over energy channels, fused with the first axis of the inverse transform.
#pragma once

#include "kokkos_kernels/device/block_launch.hpp"
#include "kokkos_kernels/docking/channel_table.hpp"
#include "kokkos_kernels/docking/column_exchange.hpp"
#include "kokkos_kernels/docking/receptor_order.hpp"

namespace tessera::kernels {

/// scores[(member * B + base) * sets + set] = inverse transform along x of
///     sum_c weight(set, c) receptor[member][c] * conj(ligand[base][c]).
/// A block owns `width` columns (ky, kz) and `bases` bases. It keeps their ligand values in shared
/// memory while it walks over the members, `groups` at once, each by a group of threads. A thread
/// sums the x1 frequencies of its first stage for all bases and for `Sets` coefficient sets, so
/// that every loaded receptor value serves them all. With several sets the channels must be in the
/// standard order: the terms are summed first, then weighted.
template <int N, int Channels, int Sets, SumCut Cut = sum_cut(N, Sets)>
struct AccumulateInverseX {
    using Shape = TransformShape<N>;
    static constexpr TransformCut cut = Shape::cut;
    static constexpr int W = Cut.width, groups = Cut.groups, bases = Cut.bases;
    static constexpr int results = bases * Sets;  ///< sums that a thread holds
    using Exchange = ColumnExchange<N, W>;
    static constexpr int group_threads = W * cut.x2;
    static constexpr int items = groups * group_threads;
    static constexpr int threads = (items + 31) / 32 * 32;
    static constexpr int ligand_size = bases * Channels * N * W;
    static constexpr int shared_bytes =
        (N + ligand_size + groups * Cut.slots * Exchange::size) * static_cast<int>(sizeof(Complex));
    static constexpr bool may_not_fit = true;  ///< FusedTransforms::supports()
    static_assert(shared_bytes <= max_block_shared && threads <= 1024 && groups < 16);
    static constexpr int blocks_per_unit =
        smaller(blocks_by_shared(shared_bytes), blocks_by_threads(threads, 112));
    static constexpr int tiles = (Shape::plane + W - 1) / W;
    static constexpr int parts = bases_per_batch / bases;
    static_assert(parts * bases == bases_per_batch && results % Cut.slots == 0);

    const Complex* receptor;  ///< ReceptorOrder with tiles of W columns
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
        for (int k = block.rank(); k < N; k += block.size)
            turns[k] = roots[k / cut.x2 * (k % cut.x2)];
        load_ligand(block, weights, column, width, first_base);
        block.barrier();
        const int rows = members * passes();
        for (int first = 0; first < rows; first += groups) {
            Complex sums[per_thread][results][cut.x1];
            TESSERA_UNROLL
            for (int s = 0; s < per_thread; ++s) {
                const Item item(block.rank() + s * Block::size, first);
                if (item.valid(rows, width)) accumulate(sums[s], item, weights, column);
            }
            TESSERA_UNROLL
            for (int result = 0; result < results; result += Cut.slots) {
                TESSERA_UNROLL
                for (int s = 0; s < per_thread; ++s) {
                    const Item item(block.rank() + s * Block::size, first);
                    if (item.valid(rows, width))
                        first_stage(sums[s], result, item, exchange, turns);
                }
                wait(block);
                TESSERA_UNROLL
                for (int s = 0; s < per_thread; ++s) {
                    const Item item(block.rank() + s * Block::size, first);
                    if (item.valid(rows, width))
                        finish(result, item, exchange, results_of(item, column, first_base));
                }
                wait(block);
            }
        }
    }

  private:
    /// The threads of a group do both stages of a member. They wait for each other only.
    template <class Block>
    KOKKOS_FUNCTION static void wait(const Block& block) {
        if constexpr (group_threads % 32 == 0)
            block.template group_barrier<group_threads>(block.rank() / group_threads);
        else
            block.barrier();
    }

    /// One thread's share of both stages.
    struct Item {
        int group, j, w, row;  ///< row = member * passes + pass
        KOKKOS_FUNCTION Item(int index, int first)
            : group(index / group_threads),
              j(index % group_threads / W),
              w(index % W),
              row(first + group) {}
        KOKKOS_FUNCTION bool valid(int rows, int width) const {
            return group < groups && row < rows && w < width;
        }
    };

    /// A pass over a member takes `Sets` of the sets.
    KOKKOS_FUNCTION int passes() const { return table.sets > Sets ? 2 : 1; }
    static_assert(Sets == 1 || max_coefficient_sets <= 2 * Sets);
    KOKKOS_FUNCTION int member_of(int row) const { return table.sets > Sets ? row / 2 : row; }
    KOKKOS_FUNCTION int first_set_of(int row) const {
        return table.sets > Sets ? row % 2 * Sets : 0;
    }

    template <class Block>
    KOKKOS_FUNCTION void load_ligand(const Block& block, Complex* weights, int column, int width,
                                     int first_base) const {
        const Complex* in = ligand + std::int64_t{first_base} * Channels * Shape::stride + column;
        for (int item = block.rank(); item < ligand_size; item += block.size) {
            const int w = item % W, kx = item / W % N, row = item / (W * N);
            weights[item] = w < width ? in[row * Shape::stride + kx * Shape::plane + w] : Complex();
        }
    }

    KOKKOS_FUNCTION void accumulate(Complex (&sums)[results][cut.x1], const Item& item,
                                    const Complex* weights, int column) const {
        const int member = member_of(item.row), first_set = first_set_of(item.row);
        constexpr ReceptorOrder order{N, Channels, W};
        const Complex* in = receptor + order.index(member, 0, item.j, column + item.w);
        const Complex* lig = weights + item.j * W + item.w;
        TESSERA_UNROLL
        for (int i = 0; i < cut.x1; ++i) {
            Complex values[Channels];
            TESSERA_UNROLL
            for (int c = 0; c < Channels; ++c) values[c] = in[(c * N + i * cut.x2) * W];
            TESSERA_UNROLL
            for (int b = 0; b < bases; ++b) {
                constexpr int terms = Sets == 1 ? 1 : max_terms;
                Complex sum[terms];
                TESSERA_UNROLL
                for (int c = 0; c < Channels; ++c)
                    add_product(sum[Sets == 1 ? 0 : smaller(c, max_terms - 1)], values[c],
                                lig[(b * Channels + c) * N * W + i * cut.x2 * W]);
                TESSERA_UNROLL
                for (int s = 0; s < Sets; ++s)
                    sums[b * Sets + s][i] = Sets == 1 ? sum[0] : weighted(sum, first_set + s);
            }
        }
    }

    /// The score of one set. The weights of sets that do not exist are zero.
    template <int Terms>
    KOKKOS_FUNCTION Complex weighted(const Complex (&terms)[Terms], int set) const {
        float real = 0, imag = 0;
        TESSERA_UNROLL
        for (int t = 0; t < Terms; ++t) {
            real += table.weight[set][t] * terms[t].real();
            imag += table.weight[set][t] * terms[t].imag();
        }
        return {real, imag};
    }

    KOKKOS_FUNCTION static Complex* place(Complex* exchange, const Item& item, int slot) {
        return exchange + (item.group * Cut.slots + slot) * Exchange::size;
    }

    /// Transforms `slots` sums of a thread, and stores them for the second stage.
    KOKKOS_FUNCTION void first_stage(Complex (&sums)[results][cut.x1], int result, const Item& item,
                                     Complex* exchange, const Complex* turns) const {
        TESSERA_UNROLL
        for (int slot = 0; slot < Cut.slots; ++slot) {
            fft::transform<cut.x1>(sums[result + slot]);
            Exchange::store(place(exchange, item, slot), sums[result + slot], item.j, item.w,
                            [&](int p) { return turns[p * cut.x2 + item.j]; });
        }
    }

    /// Where the column of an item belongs in the first result of its row.
    KOKKOS_FUNCTION Complex* results_of(const Item& item, int column, int first_base) const {
        const int base = member_of(item.row) * bases_per_batch + first_base;
        const std::int64_t transform = std::int64_t{base} * table.sets + first_set_of(item.row);
        return scores + transform * Shape::stride + column + item.w;
    }

    /// The second stage of `slots` sums. The x1 columns of each slot are shared out.
    KOKKOS_FUNCTION void finish(int result, const Item& item, Complex* exchange,
                                Complex* out) const {
        TESSERA_UNROLL
        for (int first = 0; first < Cut.slots * cut.x1; first += cut.x2) {
            const int slot = (first + item.j) / cut.x1, p = (first + item.j) % cut.x1;
            const int base = (result + slot) / Sets, set = (result + slot) % Sets;
            if (slot >= Cut.slots || first_set_of(item.row) + set >= table.sets) continue;
            Exchange::finish(place(exchange, item, slot),
                             out + (base * table.sets + set) * Shape::stride, p, item.w);
        }
    }
};

}  // namespace tessera::kernels
