// The work of a block of the orbital kernel. tile_products.hpp defines its products.
#pragma once

#include "kokkos_kernels/orbitals/axis_tables.hpp"
#include "kokkos_kernels/orbitals/row_product.hpp"
#include "kokkos_kernels/orbitals/survivor_list.hpp"
#include "kokkos_kernels/orbitals/tile_output.hpp"
#include "kokkos_kernels/orbitals/tile_place.hpp"

namespace tessera::kernels {

/// A block's work on a tile: it goes over the orbitals, and over pages of axis tables.
template <class Kernel, class Block>
struct TileWork : TilePlace<typename Kernel::Tile> {
    using Real = typename Kernel::Number;
    using Shape = typename Kernel::Tile;
    using Cut = typename Kernel::Sizes;
    using Place = TilePlace<Shape>;
    using Place::box, Place::tile, Place::first, Place::low, Place::high;
    using Tables = AxisTables<Real, Shape, Cut::page>;
    static constexpr bool Density = Kernel::density, host = Kernel::host;
    static constexpr int table_width = Kernel::table_width, row_width = Kernel::row_width;

    const Kernel& kernel;
    const Block& block;
    int begin, end;  ///< orbitals
    Real *rows, *values, *density;
    Tables tables;
    int *list, *ends, *scratch;
    double *sums, *coordinates;

    KOKKOS_FUNCTION TileWork(const Kernel& k, const Block& b)
        : Place(k, b.index % (k.box_count * Shape::tiles_per_box)), kernel(k), block(b) {
        begin = b.index / (k.box_count * Shape::tiles_per_box) * k.batch;
        end = begin + k.batch < k.orbital_count ? begin + k.batch : k.orbital_count;
        auto* bytes = static_cast<unsigned char*>(b.shared);
        tables.data = reinterpret_cast<Real*>(bytes + Cut::tables_at);
        rows = reinterpret_cast<Real*>(bytes + Cut::rows_at);
        values = reinterpret_cast<Real*>(bytes + Cut::values_at);
        list = reinterpret_cast<int*>(bytes + Cut::list_at);
        ends = reinterpret_cast<int*>(bytes + Cut::small_at);
        scratch = ends + 16;
        sums = reinterpret_cast<double*>(scratch + 16);
        coordinates = reinterpret_cast<double*>(bytes + Cut::coordinates_at);
        density = reinterpret_cast<Real*>(bytes + Cut::bytes);
    }

    KOKKOS_FUNCTION void clear_partials() const {
        for (int o = begin + block.rank(); o < end && !Density; o += block.size) partial(o) = 0;
        if (Density && block.rank() == 0) partial(0) = 0;
    }

    KOKKOS_FUNCTION double& partial(int orbital) const {
        return kernel.partials[std::int64_t{orbital} * Kernel::tiles(kernel.frame) + tile];
    }

    /// Evaluates the orbitals `begin`, `begin` + 1, ... in batches of Cut::orbitals. If the
    /// tile's survivors fit into one page, its list and axis tables are made once for all of
    /// them.
    KOKKOS_FUNCTION void run() const {
        const int candidates = kernel.lengths[box];
        bool whole = false;
        Page page;
        this->set_coordinates(block, kernel.frame, coordinates);
        if (Density) clear(density, Shape::points);
        for (int o = begin; o < end; o += Cut::orbitals) {
            const int count = end - o < Cut::orbitals ? end - o : Cut::orbitals;
            Sums sums;
            begin_sums(sums, count);
            if (!whole) page = {};
            do {
                if (!whole && !turn(page, candidates)) break;
                multiply_page(page.start, page.columns, o, count, sums);
            } while (!whole);
            // True if one page holds everything from the first group to the last.
            whole = candidates <= Cut::list && page.start.at == 0;
            end_sums(sums);
            block.barrier();
            for (int j = 0; j < count; ++j) finish(o + j, values + j * Shape::points);
        }
        if (Density) finish_density();
    }

    /// A page of tables. Its groups begin at `start` of the survivors, the next page's at
    /// `next`.
    struct Page {
        SurvivorList::Cursor start, next;
        int columns = 0;
        int from = 0;  ///< the next candidates to screen
    };

    /// Fills the next page. If the survivors are used up, screens the next candidates first.
    /// Returns false if there is no next page.
    KOKKOS_FUNCTION bool turn(Page& page, int candidates) const {
        const SurvivorList survivors{list, ends};
        while (page.from == 0 || survivors.done(page.next)) {
            if (page.from >= candidates) return false;
            const int left = candidates - page.from;
            screen(page.from, left < Cut::list ? left : Cut::list);
            page.from += Cut::list;
            page.next = {};
        }
        page.start = page.next;
        page.columns = fill_axis_tables<Shape, table_width>(
            block, tables, coordinates, kernel.groups, survivors, page.next, Cut::page);
        return true;
    }

    struct Held {
        Pack<Real, 4> of_rows[Cut::item_rows];
    };
    struct NotHeld {};
    using Sums = std::conditional_t<Cut::held, Held, NotHeld>;

    KOKKOS_FORCEINLINE_FUNCTION void begin_sums([[maybe_unused]] Sums& sums, int count) const {
        if constexpr (Cut::held) {
            TESSERA_UNROLL_ALL
            for (int r = 0; r < Cut::item_rows; ++r) sums.of_rows[r] = {};
        } else {
            clear(values, count * Shape::points);
        }
    }

    /// Writes sums from registers to `values`. Call it after the last product's barrier.
    KOKKOS_FORCEINLINE_FUNCTION void end_sums([[maybe_unused]] const Sums& sums) const {
        if constexpr (Cut::held) {
            const int x = item_x(block.rank()), row = item_row(block.rank());
            TESSERA_UNROLL_ALL
            for (int r = 0; r < Cut::item_rows; ++r)
                Pack<Real, 4>::at(values + (row + r) * Shape::x + x) = sums.of_rows[r];
        }
    }

    KOKKOS_FUNCTION static int item_x(int item) {
        return item % (Shape::x / Cut::item_x) * Cut::item_x;
    }
    KOKKOS_FUNCTION static int item_row(int item) {
        return item / (Shape::x / Cut::item_x) * Cut::item_rows;
    }

    KOKKOS_FUNCTION void clear(Real* data, int size) const {
        TESSERA_KEEP_LOOP
        for (int i = 4 * block.rank(); i < size; i += 4 * block.size)
            Pack<Real, 4>::at(data + i) = {};
    }

    /// Lists the survivors among `count` of the box's candidates, sorted by degree like the
    /// candidates.
    KOKKOS_FUNCTION void screen(int from, int count) const {
        const int* candidates = kernel.lists + std::int64_t{box} * kernel.group_count + from;
        const PointRegion region(kernel.frame, first, Shape::x, Shape::y, Shape::z);
        const float drop = kernel.threshold[box];
        block.barrier();
        TESSERA_KEEP_LOOP
        for (int i = block.rank(); i < 16; i += block.size) ends[i] = 0;
        const int length = append_kept(
            block, count, 0, scratch,
            [&](int i) { return !(region.bound(kernel.bounds, candidates[i]) <= drop); },
            [this, candidates](int at, int i) { list[at] = candidates[i]; });
        block.barrier();
        set_degree_ends(block, kernel.degrees, list, length, ends);
        block.barrier();
    }

    /// Adds the page's groups, from the cursor on, to the values of `count` orbitals.
    KOKKOS_FORCEINLINE_FUNCTION void multiply_page(SurvivorList::Cursor start, int columns,
                                                   int orbital, int count, Sums& sums) const;
    KOKKOS_INLINE_FUNCTION void make_rows(const SurvivorList::Segment& segment, int column,
                                          int row_column, int slab, int orbital, int count) const;
    KOKKOS_FORCEINLINE_FUNCTION void multiply(int column, int columns, int slab, int count,
                                              [[maybe_unused]] Sums& sums) const;
    KOKKOS_INLINE_FUNCTION void multiply_items(int column, int columns, int slab, int count) const;

    /// Writes an orbital's values and the sum of their squares, or adds them to the density.
    KOKKOS_FUNCTION void finish(int orbital, const Real* from) const {
        if constexpr (Density) {
            const Real weight = static_cast<Real>(kernel.weights[orbital]);
            TESSERA_KEEP_LOOP
            for (int i = block.rank(); i < Shape::points; i += block.size)
                density[i] += weight * (from[i] * from[i]);
            block.barrier();
        } else {
            write(from, orbital, [](double value) { return value * value; });
        }
    }

    template <class Term>
    KOKKOS_FUNCTION void write(const Real* from, int orbital, const Term& term) const {
        const double total =
            TileOutput<Real, Shape, Block>{block, kernel.frame, first, low, high, kernel.out}.write(
                from, orbital, term, sums);
        if (block.rank() == 0) partial(orbital) = total;
        block.barrier();
    }

    KOKKOS_FUNCTION void finish_density() const {
        block.barrier();
        write(density, 0, [](double value) { return value; });
    }
};

}  // namespace tessera::kernels
