// Writes the values of a part's orbitals.
#pragma once

#include "kokkos_kernels/orbitals/padded_rows.hpp"
#include "kokkos_kernels/orbitals/part_place.hpp"

namespace tessera::kernels {

/// Writes the sums of a pass's product to their grids, if there are any. Leaves in `totals`, for
/// each orbital and each warp's columns, the sum of the squares before unscaling.
template <class Cut, class PartPlace>
struct PartOutput {
    using Part = typename Cut::Part;
    using Product = typename Cut::Product;
    using Four = Pack<float, 4>;
    static_assert(Part::x % 4 == 0);

    const TileFrame& frame;
    const PaddedRows& rows;
    const PartPlace where;
    int orbital;           ///< first orbital of the pass
    int asked;             ///< orbitals from `orbital` on
    float* grids;          ///< [orbital][z][y][pitch] of the grid block, or null
    const float* factors;  ///< [orbital of the pass]
    double* totals;

    /// Four neighbours are written together if one of them is requested. The row's padding has room
    /// for them, and points that are not requested along x are zero.
    KOKKOS_FORCEINLINE_FUNCTION void write(const Product& product) const {
        const std::int64_t ny = frame.end[1] - frame.begin[1], nz = frame.end[2] - frame.begin[2];
        const std::int64_t volume = rows.pitch * ny * nz;
        const std::int64_t corner =
            ((where.first[2] - frame.begin[2]) * ny + where.first[1] - frame.begin[1]) *
                rows.pitch +
            where.first[0] - rows.begin + orbital * volume;
        float* const out = grids == nullptr ? nullptr : grids + corner;
        const auto begin_row = [&](int row) {
            return Row{row < asked, row < asked ? factors[row] : 0.0F,
                       out == nullptr ? nullptr : out + row * volume};
        };
        const auto place = [&](int column) {
            const int x = column % Part::x, y = column / Part::x % Part::y,
                      z = column / (Part::x * Part::y);
            const bool in = where.has_row(y, z) && x + 4 > where.low[0] && x < where.high[0];
            return in ? static_cast<int>(((z * ny + y) * rows.pitch + x) / 4) : -1;
        };
        const auto use = [&](const Row& row, int at, const Four& four) {
            if (!row.asked || at < 0) return 0.0;
            if (out != nullptr) Four::at(row.to + std::int64_t{at} * 4) = scaled(four, row.unscale);
            return squared(four);
        };
        product.finish(totals, begin_row, place, use);
    }

    /// Whether the places of a block's groups of four fit an int.
    static bool can(const PointBlock& block) {
        return PaddedRows(block).pitch * block.shape[1] < (std::int64_t{1} << 33) / Part::z;
    }

  private:
    /// An orbital, from which the functions' scale is removed. Its values go to `to`, the place of
    /// the part's point (0, 0, 0). This place may lie before the first point of the grid block.
    struct Row {
        bool asked;
        float unscale;
        float* to;
    };

    KOKKOS_FORCEINLINE_FUNCTION static Four scaled(const Four& four, float by) {
        Four to;
        TESSERA_UNROLL_ALL
        for (int w = 0; w < 4; ++w) to.v[w] = four.v[w] * by;
        return to;
    }
    /// Squares are exact in double precision.
    KOKKOS_FORCEINLINE_FUNCTION static double squared(const Four& four) {
        return (squared(four.v[0]) + squared(four.v[1])) +
               (squared(four.v[2]) + squared(four.v[3]));
    }
    KOKKOS_FORCEINLINE_FUNCTION static double squared(float value) {
        return static_cast<double>(value) * static_cast<double>(value);
    }
};

}  // namespace tessera::kernels
