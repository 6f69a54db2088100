// Writes a tile's values.
#pragma once

#include "kokkos_kernels/orbitals/point_tile.hpp"

namespace tessera::kernels {

/// Where a tile's values go, and which of them are requested.
template <class Real, class Shape, class Block>
struct TileOutput {
    static constexpr bool host = Block::size == 1;

    const Block& block;
    const TileFrame& frame;
    const std::int64_t (&first)[3];   ///< grid point
    const int (&low)[3], (&high)[3];  ///< requested points of the tile
    Real* out;                        ///< [orbital][z][y][x] of the grid block, or null

    /// Writes the tile's values and returns the sum of their terms, valid in rank 0. `scratch`
    /// holds one double per warp, and is free again after the next barrier.
    template <class Term>
    KOKKOS_FUNCTION double write(const Real* from, int orbital, const Term& term,
                                 double* scratch) const {
        constexpr int width = host ? Shape::x : 4;
        using Few = Pack<Real, width>;
        const std::int64_t nx = frame.end[0] - frame.begin[0], ny = frame.end[1] - frame.begin[1],
                           nz = frame.end[2] - frame.begin[2];
        // The tile's point (0, 0, 0) in the output. It may lie before the block's first point.
        const std::int64_t corner =
            ((orbital * nz + first[2] - frame.begin[2]) * ny + first[1] - frame.begin[1]) * nx +
            first[0] - frame.begin[0];
        const auto place = [&](int y, int z) { return corner + (z * ny + y) * nx; };
        const auto asked = [&](int y, int z) {
            return y >= low[1] && y < high[1] && z >= low[2] && z < high[2];
        };
        const bool aligned = ((reinterpret_cast<std::uintptr_t>(out) / sizeof(Real)) % width |
                              nx % width | frame.begin[0] % width) == 0;
        const bool at_once = out != nullptr && (host || aligned);
        double sum[width] = {};
        TESSERA_KEEP_LOOP
        for (int i = block.rank() * width; i < Shape::points; i += block.size * width) {
            const int x = i % Shape::x, y = i / Shape::x % Shape::y, z = i / (Shape::x * Shape::y);
            if (!asked(y, z)) continue;
            const typename Few::Read few = Few::at(from + i);
            if (x >= low[0] && x + width <= high[0]) {
                for (int w = 0; w < width; ++w) sum[w] += term(few.v[w]);
                if (at_once) store(out + place(y, z) + x, few);
            } else {
                TESSERA_UNROLL_ALL
                for (int w = 0; w < width; ++w) {
                    if (x + w < low[0] || x + w >= high[0]) continue;
                    sum[w] += term(few.v[w]);
                    if (at_once) out[place(y, z) + x + w] = few.v[w];
                }
            }
        }
        // Rows do not start on multiples of the width here, so lanes take neighbouring x.
        if (out != nullptr && !at_once) TESSERA_KEEP_LOOP
        for (int i = block.rank(); i < Shape::points; i += block.size) {
            const int x = i % Shape::x, y = i / Shape::x % Shape::y, z = i / (Shape::x * Shape::y);
            if (asked(y, z) && x >= low[0] && x < high[0]) out[place(y, z) + x] = from[i];
        }
        double total = sum[0];
        for (int w = 1; w < width; ++w) total += sum[w];
        return block_sum(block, total, scratch);
    }

  private:
    template <class Few>
    KOKKOS_FUNCTION static void store(Real* to, const Few& few) {
        if constexpr (host)
            std::memcpy(to, few.v, sizeof few.v);  // `to` may have any alignment
        else
            Few::at(to) = few;
    }
};

}  // namespace tessera::kernels
