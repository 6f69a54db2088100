// The work of a block of the kernel for many orbitals.
#pragma once

#include "kokkos_kernels/orbitals/part_functions.hpp"
#include "kokkos_kernels/orbitals/part_output.hpp"
#include "kokkos_kernels/orbitals/part_place.hpp"
#include "kokkos_kernels/orbitals/product_cut.hpp"

namespace tessera::kernels {

/// A block's work on a tile: it goes over the parts of the tile, and over pages of functions.
template <class Kernel, class Block>
struct ProductWork {
    using Shape = typename Kernel::Tile;
    using Cut = typename Kernel::Sizes;
    using Part = typename Cut::Part;
    using Product = typename Cut::Product;
    using Tables = AxisTables<float, Part, Cut::page>;
    using Place = PartPlace<Shape, Part>;
    static constexpr int parts = Kernel::parts;

    const Kernel& kernel;
    const Block& block;
    int box, tile;             ///< box of the pass, tile of the frame
    int begin, end;            ///< orbitals
    std::int64_t* tile_first;  ///< [3] grid point
    std::uint32_t *functions, *stages;
    Tables tables;
    double *sums, *totals, *coordinates;
    NearGroup* near;  ///< [candidates screened at once]
    unsigned* masks;  ///< [candidate] bits of the parts where it matters
    int* list;        ///< candidates that matter to a part
    int *offsets, *scratch;
    unsigned* pair_rows;  ///< where the coefficients of the page's pairs begin
    GroupFill* fills;     ///< [groups of the page]
    float* unscale;       ///< [orbitals of the block]

    KOKKOS_FORCEINLINE_FUNCTION ProductWork(const Kernel& k, const Block& b) : kernel(k), block(b) {
        const int tile_index = b.index % (k.box_count * Shape::tiles_per_box);
        begin = b.index / (k.box_count * Shape::tiles_per_box) * Cut::batch;
        end = begin + Cut::batch < k.orbital_count ? begin + Cut::batch : k.orbital_count;
        box = tile_index / Shape::tiles_per_box;
        if (k.box_count == k.frame.box_count()) box = k.frame.middle_first(box);
        const int inner = tile_index % Shape::tiles_per_box;
        tile = (k.first_box + box) * Shape::tiles_per_box + inner;
        auto* bytes = static_cast<unsigned char*>(b.shared);
        functions = reinterpret_cast<std::uint32_t*>(bytes + Cut::functions_at);
        stages = reinterpret_cast<std::uint32_t*>(bytes + Cut::stages_at);
        tables.data = reinterpret_cast<float*>(bytes + Cut::tables_at);
        sums = reinterpret_cast<double*>(bytes + Cut::sums_at);
        totals = reinterpret_cast<double*>(bytes + Cut::totals_at);
        coordinates = reinterpret_cast<double*>(bytes + Cut::coordinates_at);
        near = reinterpret_cast<NearGroup*>(bytes + Cut::near_at);
        masks = reinterpret_cast<unsigned*>(bytes + Cut::masks_at);
        list = reinterpret_cast<int*>(bytes + Cut::list_at);
        offsets = reinterpret_cast<int*>(bytes + Cut::offsets_at);
        pair_rows = reinterpret_cast<unsigned*>(bytes + Cut::pair_rows_at);
        fills = reinterpret_cast<GroupFill*>(bytes + Cut::fills_at);
        unscale = reinterpret_cast<float*>(bytes + Cut::unscale_at);
        scratch = reinterpret_cast<int*>(bytes + Cut::scratch_at);
        tile_first = reinterpret_cast<std::int64_t*>(bytes + Cut::tile_first_at);
        if (b.rank() == 0) {
            std::int64_t corner[3];
            k.frame.template box_point<Shape>(k.first_box + box, corner);
            tile_first[0] = corner[0] + inner % Shape::box * Shape::x;
            tile_first[1] = corner[1] + inner / Shape::box % Shape::box * Shape::y;
            tile_first[2] = corner[2] + inner / (Shape::box * Shape::box) * Shape::z;
        }
        b.barrier();
    }

    KOKKOS_FORCEINLINE_FUNCTION void run() {
        for (int o = block.rank(); o < end - begin; o += block.size) {
            sums[o] = 0;
            unscale[o] = 1 / kernel.row_scale[kernel.orbitals[begin + o]];
        }
        const int candidates = kernel.lengths[box];
        if (candidates <= Cut::list) look_at(0, candidates, 0, parts);
        TESSERA_KEEP_LOOP
        for (int part = 0; part < parts; ++part)
            if (place(part).any()) evaluate_part(part, candidates);
        for (int o = block.rank(); o < end - begin; o += block.size)
            kernel.partials[std::int64_t{begin + o} * Kernel::tiles(kernel.frame) + tile] = sums[o];
    }

    KOKKOS_FORCEINLINE_FUNCTION Place place(int part) const {
        return Place(kernel.frame, tile_first, part);
    }

    /// Adds page after page of functions, for Cut::rows orbitals at a time. If all survivors
    /// fit into one page, it is made only once.
    KOKKOS_FORCEINLINE_FUNCTION void evaluate_part(int part, int candidates) {
        bool whole = false;
        int pairs = 0, length = 0, group = 0, from = 0;
        Product product;
        TESSERA_KEEP_LOOP
        for (int o = begin; o < end; o += Cut::rows) {
            product.clear();
            if (!whole) from = length = group = 0;
            int pages = 0;
            do {
                if (!whole) {
                    block.barrier();
                    if (group == length) {
                        length = screen(part, from, candidates);
                        group = 0;
                        from += Cut::list;
                    }
                    const int next = page_end(group, length);
                    pairs = start_page(group, next);
                    start_copies(o, 0, pairs);
                    start_copies(o, 1, pairs);
                    const Place asked = place(part);
                    PartFunctions<Cut, Block>{block, tables, functions, asked.low[0], asked.high[0]}
                        .fill(fills, offsets, group, next, pairs);
                    group = next;
                } else {
                    start_copies(o, 0, pairs);
                    start_copies(o, 1, pairs);
                }
                multiply(product, o, pairs);
                ++pages;
            } while (group < length || from < candidates);
            whole = whole || (pages == 1 && candidates <= Cut::list);
            finish(product, part, o);
        }
    }

    /// For the candidates from `from` on, finds the parts of [begin, end) where they matter. A
    /// barrier is needed before and after.
    KOKKOS_FORCEINLINE_FUNCTION void look_at(int from, int candidates, int begin_part,
                                             int end_part) const {
        const int* candidate = kernel.lists + std::int64_t{box} * kernel.group_count + from;
        const int left = candidates - from, count = left < Cut::list ? left : Cut::list;
        const float drop = kernel.threshold[box];
        TESSERA_KEEP_LOOP
        for (int i = block.rank(); i < count; i += block.size) {
            const int g = candidate[i];
            near[i] = {kernel.groups[g], kernel.functions[g]};
            unsigned mask = 0;
            TESSERA_KEEP_LOOP
            for (int part = begin_part; part < end_part; ++part) {
                const PointRegion region(kernel.frame, place(part).first, Part::x, Part::y,
                                         Part::z);
                mask |= (region.bound(kernel.bounds, g) <= drop ? 0U : 1U) << part;
            }
            masks[i] = mask;
        }
    }

    /// Lists the survivors among the candidates from `from` on, and where their pairs begin.
    KOKKOS_FORCEINLINE_FUNCTION int screen(int part, int from, int candidates) const {
        if (candidates > Cut::list) look_at(from, candidates, part, part + 1);
        if (from == 0) set_coordinates(part);
        block.barrier();
        const int left = candidates - from, count = left < Cut::list ? left : Cut::list;
        const int length = append_kept(
            block, count, 0, scratch, [&](int i) { return (masks[i] >> part & 1U) != 0; },
            [this](int at, int i) { list[at] = i; });
        block.barrier();
        running_sums(
            block, length, scratch, [this](int i) { return near[list[i]].functions.pairs; },
            offsets);
        block.barrier();
        return length;
    }

    KOKKOS_FORCEINLINE_FUNCTION void set_coordinates(int part) const {
        const Place of_part = place(part);
        for (int i = block.rank(); i < Part::axes; i += block.size) {
            const int axis = i < Part::x ? 0 : i < Part::x + Part::y ? 1 : 2;
            // Do not index first[], so that it stays in registers.
            const std::int64_t index = axis == 0   ? of_part.first[0] + i
                                       : axis == 1 ? of_part.first[1] + i - Part::x
                                                   : of_part.first[2] + i - Part::x - Part::y;
            coordinates[i] = kernel.frame.coordinate(axis, index);
        }
    }

    /// The end of the groups from `group` on whose pairs fit into a page.
    KOKKOS_FORCEINLINE_FUNCTION int page_end(int group, int length) const {
        if (offsets[length] - offsets[group] <= Cut::page) return length;
        int fits = group, beyond = length;
        while (beyond - fits > 1) {
            const int middle = (fits + beyond) / 2;
            (offsets[middle] - offsets[group] <= Cut::page ? fits : beyond) = middle;
        }
        return fits;
    }

    /// Makes the tables of the page's groups and finds their coefficients. Returns the number
    /// of pairs, rounded up to whole steps.
    KOKKOS_FORCEINLINE_FUNCTION int start_page(int group, int next) const {
        const int base = offsets[group], used = offsets[next] - base;
        const int pairs = (used + step_pairs - 1) / step_pairs * step_pairs;
        constexpr int width = Part::z % 4 == 0 ? 4 : Part::z, items = Part::axes / width;
        static_assert(Part::x % width == 0 && Part::y % width == 0);
        TESSERA_KEEP_LOOP
        for (int item = block.rank(); item < (next - group) * items; item += block.size) {
            const int g = group + item / items;
            const DeviceGroup& of = near[list[g]].group;
            with_degree(of.degree, [&](auto degree) {
                tables.template fill<decltype(degree)::value, width>(
                    coordinates, of, offsets[g] - base, item % items * width);
            });
        }
        // Start with the last threads, because the first ones have more tables.
        for (int g = group + block.size - 1 - block.rank(); g < next; g += block.size) {
            const NearGroup& of = near[list[g]];
            fills[g - group] = {2 * of.group.degree + of.functions.only_top, of.functions.scale};
            for (int p = 0; p < of.functions.pairs; ++p)
                pair_rows[offsets[g] - base + p] = row_of(of.functions.first_pair + p);
        }
        for (int p = used + block.rank(); p < pairs; p += block.size)
            pair_rows[p] = row_of(kernel.zero_pair);
        block.barrier();
        return pairs;
    }

    /// Words before a pair's coefficients. 2^32 of them would be 16 GiB.
    KOKKOS_FORCEINLINE_FUNCTION unsigned row_of(int pair) const {
        return 2U * static_cast<unsigned>(pair) * static_cast<unsigned>(kernel.pitch);
    }

    /// Starts to copy the coefficients of one step of pairs, if this step exists. A warp copies
    /// a row.
    KOKKOS_FORCEINLINE_FUNCTION void start_copies(int orbital, int step, int pairs) const {
        constexpr int lanes = Block::size == 1 ? 1 : warp_lanes, warps = Block::size / lanes;
        constexpr int copies = Cut::rows / 4, rounds = (2 * copies + lanes - 1) / lanes;
        static_assert(step_pairs % warps == 0);
        if (step * step_pairs < pairs) {
            std::uint32_t* stage = stages + step % Cut::stages * Product::step_words;
            const int warp = block.rank() / lanes, lane = block.rank() % lanes;
            const std::uint32_t* coefficients = kernel.coefficients + orbital;
            TESSERA_UNROLL_ALL
            for (int turn = 0; turn < step_pairs / warps; ++turn) {
                const int p = turn * warps + warp;
                const std::uint32_t* row = coefficients + pair_rows[step * step_pairs + p];
                TESSERA_UNROLL_ALL
                for (int round = 0; round < rounds; ++round) {
                    const int i = round * lanes + lane;
                    const int part = i / copies, at = i % copies * 4;
                    if (i < 2 * copies)
                        start_copy(stage + (part * step_pairs + p) * Product::row_pitch + at,
                                   row + part * kernel.pitch + at);
                }
            }
        }
        end_copies();
    }

    /// Multiplies all pairs. The copies of the first two steps must be under way. The operands
    /// are free again after the caller's next barrier.
    KOKKOS_FORCEINLINE_FUNCTION void multiply(Product& product, int orbital, int pairs) const {
        TESSERA_KEEP_LOOP
        for (int step = 0; step * step_pairs < pairs; ++step) {
            wait_for_copies<Cut::stages - 2>();
            block.barrier();
            start_copies(orbital, step + Cut::stages - 1, pairs);
            const std::uint32_t* columns = functions + step * step_pairs * Product::column_pitch;
            product.add(stages + step % Cut::stages * Product::step_words, columns,
                        columns + Cut::function_words);
        }
    }

    /// Writes the values of a pass and adds up their squares.
    KOKKOS_FORCEINLINE_FUNCTION void finish(const Product& product, int part, int orbital) const {
        const float* factors = unscale + (orbital - begin);
        PartOutput<Cut, Place>{kernel.frame,  kernel.rows, place(part), orbital,
                               end - orbital, kernel.out,  factors,     totals}
            .write(product);
        block.barrier();
        for (int row = block.rank(); row < Cut::rows && orbital + row < end; row += block.size) {
            const double factor = factors[row];  // undoes the functions' scale
            for (int w = 0; w < Product::warp_columns; ++w)
                sums[orbital - begin + row] +=
                    totals[row * Product::warp_columns + w] * (factor * factor);
        }
        block.barrier();
    }
};

}  // namespace tessera::kernels
