// The place of a tile in the frame, and what a block does there before it multiplies.
#pragma once

#include <cstdint>

#include "kokkos_kernels/device/block_tools.hpp"
#include "kokkos_kernels/orbitals/axis_tables.hpp"
#include "kokkos_kernels/orbitals/survivor_list.hpp"

namespace tessera::kernels {

/// The tile of a block. `index` counts the tiles of the boxes of a pass.
template <class Shape>
struct TilePlace {
    int box, tile;          ///< box of the pass, tile of the frame
    std::int64_t first[3];  ///< grid point
    int low[3], high[3];    ///< requested points of the tile

    template <class Kernel>
    KOKKOS_FUNCTION TilePlace(const Kernel& k, int index) {
        box = index / Shape::tiles_per_box;
        if (k.box_count == k.frame.box_count()) box = k.frame.middle_first(box);
        const int inner = index % Shape::tiles_per_box;
        tile = (k.first_box + box) * Shape::tiles_per_box + inner;
        k.frame.template box_point<Shape>(k.first_box + box, first);
        first[0] += inner % Shape::box * Shape::x;
        first[1] += inner / Shape::box % Shape::box * Shape::y;
        first[2] += inner / (Shape::box * Shape::box) * Shape::z;
        const int size[3] = {Shape::x, Shape::y, Shape::z};
        for (int a = 0; a < 3; ++a) {
            const std::int64_t from = k.frame.begin[a] - first[a], to = k.frame.end[a] - first[a];
            low[a] = static_cast<int>(from > 0 ? (from < size[a] ? from : size[a]) : 0);
            high[a] = static_cast<int>(to < size[a] ? (to > 0 ? to : 0) : size[a]);
        }
    }

    /// Whether no point of the tile is requested.
    KOKKOS_FUNCTION bool empty() const {
        return low[0] >= high[0] || low[1] >= high[1] || low[2] >= high[2];
    }

    /// Sets the coordinates of the tile's points along x, then y, then z.
    template <class Block, class Frame>
    KOKKOS_FUNCTION void set_coordinates(const Block& block, const Frame& frame,
                                         double* coordinates) const {
        TESSERA_KEEP_LOOP
        for (int i = block.rank(); i < Shape::axes; i += block.size) {
            const int axis = i < Shape::x ? 0 : i < Shape::x + Shape::y ? 1 : 2;
            const std::int64_t index = axis == 0   ? first[0] + i
                                       : axis == 1 ? first[1] + i - Shape::x
                                                   : first[2] + i - Shape::x - Shape::y;
            coordinates[i] = frame.coordinate(axis, index);
        }
    }
};

/// Sets the ends of the degrees in a sorted list, which are all 0 before. The last group of each
/// degree writes the end of this degree and of the empty degrees above it.
template <class Block>
KOKKOS_FUNCTION void set_degree_ends(const Block& block, const DegreeIndex& degrees,
                                     const int* groups, int length, int* ends) {
    TESSERA_KEEP_LOOP
    for (int i = block.rank(); i < length; i += block.size) {
        const int degree = degrees.degree_of(groups[i]);
        const int next = i + 1 < length ? degrees.degree_of(groups[i + 1]) : max_degree + 1;
        for (int l = degree; l < next; ++l) ends[l] = i + 1;
    }
}

/// Makes axis tables of as many groups from the cursor on as fit into `room` columns, `width`
/// points at once. Returns their number of columns.
template <class Shape, int width, class Block, class Tables>
KOKKOS_FUNCTION int fill_axis_tables(const Block& block, const Tables& tables,
                                     const double* coordinates, const DeviceGroup* groups,
                                     const SurvivorList& survivors, SurvivorList::Cursor& cursor,
                                     int room) {
    constexpr int items = Shape::axes / width;
    int columns = 0;
    for (auto segment = survivors.take(cursor, room); segment.count > 0;
         segment = survivors.take(cursor, room - columns)) {
        with_degree(segment.degree, [&](auto degree) {
            constexpr int l = decltype(degree)::value;
            TESSERA_KEEP_LOOP
            for (int item = block.rank(); item < segment.count * items; item += block.size)
                tables.template fill<l, width>(
                    coordinates, groups[survivors.groups[segment.first + item / items]],
                    columns + item / items * (l + 1), item % items * width);
        });
        columns += segment.columns();
    }
    block.barrier();
    return columns;
}

}  // namespace tessera::kernels
