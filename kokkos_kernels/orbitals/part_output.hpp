// Writing the values of a part's orbitals.
#pragma once

#include "kokkos_kernels/orbitals/part_place.hpp"

namespace tessera::kernels {

/// Writes the sums of a pass's product to their grids, if there are any, and leaves the sum of the squares
/// of an orbital's (unscaled) over each warp's columns in `totals`.
template <class Cut, class PartPlace, class Block>
struct PartOutput {
    using Part = typename Cut::Part;
    using Product = typename Cut::Product;
    using Four = Pack<float, 4>;
    static_assert(Part::x % 4 == 0);

    const Block& block;
    const TileFrame& frame;
    const PartPlace where;
    int orbital;           ///< first of the pass
    int asked;             ///< orbitals from it on
    float* grids;          ///< [orbital][z][y][x] of the grid block, or null
    const float* factors;  ///< [orbital of the pass]
    double* totals;
    float* staged;  ///< memory that is free once all threads are here

    /// Whether all rows begin on multiples of four numbers.
    KOKKOS_FORCEINLINE_FUNCTION static bool in_fours(const TileFrame& frame, const float* grids) {
        return (reinterpret_cast<std::uintptr_t>(grids) / sizeof(float) % 4 |
                (frame.end[0] - frame.begin[0]) % 4 | frame.begin[0] % 4) == 0;
    }

    KOKKOS_FORCEINLINE_FUNCTION void write(const Product& product) const {
        const std::int64_t nx = frame.end[0] - frame.begin[0], ny = frame.end[1] - frame.begin[1],
                           nz = frame.end[2] - frame.begin[2], volume = nx * ny * nz;
        const std::int64_t corner =
            ((where.first[2] - frame.begin[2]) * ny + where.first[1] - frame.begin[1]) * nx +
            where.first[0] - frame.begin[0] + orbital * volume;
        float* const out = grids == nullptr ? nullptr : grids + corner;
        const auto begin_row = [&](int row) {
            return Row{row < asked, row < asked ? factors[row] : 0.0F,
                       out == nullptr ? nullptr : out + row * volume};
        };
        const auto offset = [&](int column) {
            return (column / (Part::x * Part::y) * ny + column / Part::x % Part::y) * nx +
                   column % Part::x;
        };
        const bool small = nx * ny < 1 << 28;  // offsets are ints
        if (in_fours(frame, grids) && small) {
            // Four neighbours are asked for or not together.
            const auto place = [&](int column) {
                return where.has(column % Part::x, column / Part::x % Part::y,
                                 column / (Part::x * Part::y))
                           ? static_cast<int>(offset(column))
                           : -1;
            };
            const auto use = [&](const Row& row, int at, const Four& four) {
                if (!row.asked || at < 0) return 0.0;
                if (out != nullptr) Four::at(row.to + at) = scaled(four, row.unscale);
                return squared(four);
            };
            product.finish(totals, begin_row, place, use, [](int) {});
#ifdef __CUDA_ARCH__
        } else if (where.all() && out != nullptr && small) {
            write_staged(product, begin_row, offset);
#endif
        } else {
            const auto place = [&](int column) {
                const int x = column % Part::x;
                const bool in =
                    where.has_row(column / Part::x % Part::y, column / (Part::x * Part::y));
                return Place{offset(column), in ? where.low[0] - x : 4, where.high[0] - x};
            };
            product.finish(
                totals, begin_row, place,
                [&](const Row& row, const Place& at, const Four& four) {
                    Four inside;
                    TESSERA_UNROLL_ALL
                    for (int w = 0; w < 4; ++w) {
                        const bool in = row.asked && w >= at.begin && w < at.end;
                        if (in && out != nullptr) row.to[at.offset + w] = four.v[w] * row.unscale;
                        inside.v[w] = in ? four.v[w] : 0.0F;
                    }
                    return squared(inside);
                },
                [](int) {});
        }
    }

  private:
    /// An orbital: of the functions' scale nothing is left. Its values go behind `to`, that of the part's
    /// point (0, 0, 0), which may lie before the grid block's first.
    struct Row {
        bool asked;
        float unscale;
        float* to;
    };
    /// Where four neighbouring points go, counted from the part's point (0, 0, 0), and which of them are
    /// asked for: [begin, end).
    struct Place {
        std::int64_t offset;
        int begin, end;
    };

#ifdef __CUDA_ARCH__
    /// Where grids' rows begin anywhere: through shared memory, so that lanes write neighbours.
    template <class BeginRow, class Offset>
    __device__ __forceinline__ void write_staged(const Product& product, const BeginRow& begin_row,
                                                 const Offset& offset) const {
        constexpr int width = Product::warp_width, pitch = width + 4, turns = width / warp_lanes;
        static_assert(Product::threads / warp_lanes * 8 * pitch <=
                      Cut::stages * Product::step_words);
        const int thread = Product::thread_anew(), lane = thread % warp_lanes,
                  warp = thread / warp_lanes, begin = warp % Product::warp_columns * width;
        float* const own = staged + warp * 8 * pitch;
        int offsets[turns];
        TESSERA_UNROLL_ALL
        for (int i = 0; i < turns; ++i)
            offsets[i] = static_cast<int>(offset(begin + i * warp_lanes + lane));
        block.barrier();
        product.finish(
            totals, begin_row, [&](int column) { return lane / 4 * pitch + column - begin; },
            [&](const Row& row, int at, const Four& four) {
                Four::at(own + at) = scaled(four, row.unscale);
                return row.asked ? squared(four) : 0.0;
            },
            [&](int first_row) {
                __syncwarp();
                TESSERA_KEEP_LOOP
                for (int r = 0; r < 8; ++r) {
                    const Row row = begin_row(first_row + r);
                    TESSERA_UNROLL_ALL
                    for (int i = 0; i < turns; ++i)
                        if (row.asked) row.to[offsets[i]] = own[r * pitch + i * warp_lanes + lane];
                }
                __syncwarp();
            });
    }
#endif

    KOKKOS_FORCEINLINE_FUNCTION static Four scaled(const Four& four, float by) {
        Four to;
        TESSERA_UNROLL_ALL
        for (int w = 0; w < 4; ++w) to.v[w] = four.v[w] * by;
        return to;
    }
    /// Squares are exact in double precision; their sum has one order, whichever way values are written.
    KOKKOS_FORCEINLINE_FUNCTION static double squared(const Four& four) {
        return (squared(four.v[0]) + squared(four.v[1])) +
               (squared(four.v[2]) + squared(four.v[3]));
    }
    KOKKOS_FORCEINLINE_FUNCTION static double squared(float value) {
        return static_cast<double>(value) * static_cast<double>(value);
    }
};

}  // namespace tessera::kernels
