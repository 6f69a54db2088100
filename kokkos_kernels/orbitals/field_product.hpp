// The inner loop of derived fields on a device: values[output][row][x] += rows[kind][row] *
// columns[order][x], summed over columns, for all products of FieldProducts at once.
#pragma once

#include "kokkos_kernels/device/block_tools.hpp"
#include "kokkos_kernels/orbitals/field_cut.hpp"

namespace tessera::kernels {

/// Adds `count` columns to the values of a block's items. The tables of the column c are at
/// tables[places[c]][order][x], and `rows` is [c][kind][row].
template <class Cut>
struct FieldProduct {
    using Products = typename Cut::Products;
    static constexpr int kinds = Products::kinds, orders = Products::orders,
                         outputs = Products::outputs, width = Cut::Shape::x;

    template <class Block>
    KOKKOS_FUNCTION static void add(const Block& block, const double* rows, const double* tables,
                                    const int* places, int count, double* values) {
        constexpr int across = width / Cut::item_x;
        TESSERA_KEEP_LOOP
        for (int item = block.rank(); item < Cut::items; item += block.size) {
            const int x = item % across * Cut::item_x, row = item / across * Cut::item_rows;
            double* const to = values + row * width + x;
            one_item(rows + row, tables + x, places, count, to);
        }
    }

  private:
    /// One row of four points in registers.
    KOKKOS_FUNCTION static void one_item(const double* rows, const double* tables,
                                         const int* places, int count, double* values) {
        using Four = Pack<double, 4>;
        static_assert(Cut::item_rows == 1 && Cut::item_x == 4);
        Four sums[outputs];
        TESSERA_UNROLL_ALL
        for (int o = 0; o < outputs; ++o) sums[o] = Four::at(values + o * Cut::points);
        for (int c = 0; c < count; ++c) {
            Four x[orders];
            TESSERA_UNROLL_ALL
            for (int o = 0; o < orders; ++o)
                x[o] = Four::at(tables + (places[c] * orders + o) * width);
            double row[kinds];
            TESSERA_UNROLL_ALL
            for (int k = 0; k < kinds; ++k) row[k] = rows[(c * kinds + k) * Cut::rows];
            TESSERA_UNROLL_ALL
            for (int p = 0; p < Products::products; ++p) TESSERA_UNROLL_ALL
            for (int i = 0; i < 4; ++i)
                sums[Products::output(p)].v[i] +=
                    row[Products::kind(p)] * x[Products::order(p)].v[i];
        }
        TESSERA_UNROLL_ALL
        for (int o = 0; o < outputs; ++o) Four::at(values + o * Cut::points) = sums[o];
    }
};

}  // namespace tessera::kernels
