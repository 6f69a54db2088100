// The products of TileWork: rows times columns, added to the values of a tile.
#pragma once

#include "kokkos_kernels/orbitals/tile_work.hpp"

namespace tessera::kernels {

template <class Kernel, class Block>
KOKKOS_FORCEINLINE_FUNCTION void
TileWork<Kernel, Block>::multiply_page(SurvivorList::Cursor start, int columns, int orbital,
                                       int count, Sums& sums) const {
    const SurvivorList survivors{list, ends};
    for (int slab = 0; slab < Shape::z; slab += Cut::slab) {
        SurvivorList::Cursor cursor = start;
        for (int column = 0; column < columns;) {
            const int room = columns - column < Cut::chunk ? columns - column : Cut::chunk;
            int done = 0;
            for (auto segment = survivors.take(cursor, room); segment.count > 0;
                 segment = survivors.take(cursor, room - done)) {
                make_rows(segment, column + done, done, slab, orbital, count);
                done += segment.columns();
            }
            block.barrier();
            multiply(column, done, slab, count, sums);
            block.barrier();
            column += done;
        }
    }
}

template <class Kernel, class Block>
KOKKOS_INLINE_FUNCTION void TileWork<Kernel, Block>::make_rows(const SurvivorList::Segment& segment,
                                                               int column, int row_column, int slab,
                                                               int orbital, int count) const {
    const SurvivorList survivors{list, ends};
    constexpr int width = row_width, per_group = Cut::rows / width;
    with_degree(segment.degree, [&](auto degree) {
        constexpr int l = decltype(degree)::value;
        const int items = segment.count * per_group;
        const Real* only_row = kernel.coefficients + kernel.orbitals[orbital] * kernel.stride;
        TESSERA_KEEP_LOOP
        for (int item = block.rank(); item < items * count; item += block.size) {
            const int j = Cut::orbitals == 1 ? 0 : item / items;
            const int g = (Cut::orbitals == 1 ? item : item % items) / per_group;
            const int row = item % per_group * width;
            const Real* c =
                (Cut::orbitals == 1
                     ? only_row
                     : kernel.coefficients + kernel.orbitals[orbital + j] * kernel.stride) +
                kernel.degrees.template first_coefficient<l>(survivors.groups[segment.first + g]);
            polynomial_rows<l, width, Cut::rows>(
                tables, column + g * (l + 1), row % Shape::y, slab + row / Shape::y, c,
                rows + (j * Cut::chunk + row_column + g * (l + 1)) * Cut::rows + row);
        }
    });
}

template <class Kernel, class Block>
KOKKOS_FORCEINLINE_FUNCTION void
TileWork<Kernel, Block>::multiply(int column, int columns, int slab, int count,
                                  [[maybe_unused]] Sums& sums) const {
    if constexpr (Cut::held)
        device_row_product<Cut::item_rows, Cut::rows, Shape::x>(
            rows + item_row(block.rank()), tables.x(column) + item_x(block.rank()), columns,
            sums.of_rows);
    else
        multiply_items(column, columns, slab, count);
}

template <class Kernel, class Block>
KOKKOS_INLINE_FUNCTION void TileWork<Kernel, Block>::multiply_items(int column, int columns,
                                                                    int slab, int count) const {
    TESSERA_KEEP_LOOP
    for (int item = block.rank(); item < Cut::items * count; item += block.size) {
        const int j = item / Cut::items, x = item_x(item % Cut::items),
                  row = item_row(item % Cut::items);
        const Real* from = rows + j * Cut::chunk * Cut::rows + row;
        Real* to = values + j * Shape::points + (slab * Shape::y + row) * Shape::x + x;
        if constexpr (host) {
            host_row_product<Cut::item_rows, Cut::rows, Shape::x>(from, tables.x(column) + x,
                                                                  columns, to);
        } else {
            using Four = Pack<Real, 4>;
            Four part[Cut::item_rows];
            TESSERA_UNROLL_ALL
            for (int r = 0; r < Cut::item_rows; ++r) part[r] = Four::at(to + r * Shape::x);
            device_row_product<Cut::item_rows, Cut::rows, Shape::x>(from, tables.x(column) + x,
                                                                    columns, part);
            TESSERA_UNROLL_ALL
            for (int r = 0; r < Cut::item_rows; ++r) Four::at(to + r * Shape::x) = part[r];
        }
    }
}

}  // namespace tessera::kernels
