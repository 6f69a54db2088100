// Writing the values of a part's orbitals.
#pragma once

#include "kokkos_kernels/orbitals/part_place.hpp"

namespace tessera::kernels {

/// Writes the sums of a pass's product to their grids, if there are any, and leaves the sum of the squares
/// of an orbital's (unscaled) over each warp's columns in `totals`.
template <class Cut, class PartPlace>
struct PartOutput {
    using Part = typename Cut::Part;
    using Product = typename Cut::Product;

    const TileFrame& frame;
    const PartPlace where;
    int orbital;           ///< first of the pass
    int asked;             ///< orbitals from it on
    float* grids;          ///< [orbital][z][y][x] of the grid block, or null
    const float* factors;  ///< [orbital of the pass]
    double* totals;

    KOKKOS_FORCEINLINE_FUNCTION void write(const Product& product) const {
        const std::int64_t nx = frame.end[0] - frame.begin[0], ny = frame.end[1] - frame.begin[1],
                           nz = frame.end[2] - frame.begin[2], volume = nx * ny * nz;
        const std::int64_t corner =
            ((where.first[2] - frame.begin[2]) * ny + where.first[1] - frame.begin[1]) * nx +
            where.first[0] - frame.begin[0] + orbital * volume;
        const bool in_twos =
            (reinterpret_cast<std::uintptr_t>(grids) / 4 % 2 | nx % 2 | frame.begin[0] % 2) == 0;
        float* const out = grids == nullptr ? nullptr : grids + corner;
        const auto begin_row = [&](int row) {
            return Row{row < asked, row < asked ? factors[row] : 0.0F,
                       out == nullptr ? nullptr : out + row * volume};
        };
        const auto offset = [&](int column) {
            return (column / (Part::x * Part::y) * ny + column / Part::x % Part::y) * nx +
                   column % Part::x;
        };
        if (where.all() && out != nullptr && nx * ny < 1 << 28) {
            product.finish(
                totals, begin_row, [&](int column) { return static_cast<int>(offset(column)); },
                [&](const Row& row, int at, float a, float b) {
                    if (!row.asked) return 0.0;
                    if (in_twos) {
                        Pack<float, 2>::at(row.to + at) = {a * row.unscale, b * row.unscale};
                    } else {
                        row.to[at] = a * row.unscale;
                        row.to[at + 1] = b * row.unscale;
                    }
                    return squared(a) + squared(b);
                });
        } else {
            const auto place = [&](int column) {
                const int x = column % Part::x, y = column / Part::x % Part::y,
                          z = column / (Part::x * Part::y);
                const bool row_in = y >= where.low[1] && y < where.high[1] && z >= where.low[2] &&
                                    z < where.high[2];
                return Place{offset(column), row_in && x >= where.low[0] && x < where.high[0],
                             row_in && x + 1 >= where.low[0] && x + 1 < where.high[0]};
            };
            product.finish(
                totals, begin_row, place, [&](const Row& row, const Place& at, float a, float b) {
                    const bool first_in = row.asked && at.first, second_in = row.asked && at.second;
                    if (first_in && out != nullptr) row.to[at.offset] = a * row.unscale;
                    if (second_in && out != nullptr) row.to[at.offset + 1] = b * row.unscale;
                    return (first_in ? squared(a) : 0.0) + (second_in ? squared(b) : 0.0);
                });
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
    /// Where two neighbouring points go, counted from the part's point (0, 0, 0), and which of them are
    /// asked for.
    struct Place {
        std::int64_t offset;
        bool first, second;
    };

    KOKKOS_FORCEINLINE_FUNCTION static double squared(float value) {
        return static_cast<double>(value) * static_cast<double>(value);
    }
};

}  // namespace tessera::kernels
