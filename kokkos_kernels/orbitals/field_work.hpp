// The work of a block of the kernel for derived fields.
#pragma once

#include <type_traits>

#include "kokkos_kernels/orbitals/field_fetch.hpp"
#include "kokkos_kernels/orbitals/field_output.hpp"
#include "kokkos_kernels/orbitals/field_product.hpp"
#include "kokkos_kernels/orbitals/field_product_host.hpp"
#include "kokkos_kernels/orbitals/field_tables.hpp"
#include "kokkos_kernels/orbitals/survivor_list.hpp"
#include "kokkos_kernels/orbitals/tile_place.hpp"

namespace tessera::kernels {

/// A block's work on a tile. It goes over parts of the tile and over orbitals, and adds each
/// orbital's derivatives on the part to the part's sums. After the last orbital the sums become
/// fields.
template <class Kernel, class Block>
struct FieldWork : TilePlace<typename Kernel::Sizes::Shape> {
    using Cut = typename Kernel::Sizes;
    using Shape = typename Cut::Shape;
    using Place = TilePlace<Shape>;
    using Place::box, Place::tile, Place::first, Place::low, Place::high;
    using At = typename Cut::SumsAt;
    using Tables = DerivativeTables<Shape, Cut::page, Cut::Products::orders, Cut::x_pitch>;
    static constexpr bool host = Block::size == 1;
    using Points = std::conditional_t<host, NoFieldPoints, FieldPoints<Cut>>;
    static constexpr FieldDerivatives derivatives = Cut::derivatives;
    static constexpr int number = static_cast<int>(sizeof(double));

    const Kernel& kernel;
    const Block& block;
    Tables tables;
    double *rows, *values, *sums, *coordinates, *scratch_sums;
    int *list, *ends, *scratch;
    int *part_list, *part_columns, *part_ends, *chunk_columns;

    KOKKOS_FUNCTION FieldWork(const Kernel& k, const Block& b)
        : Place(k, b.index), kernel(k), block(b) {
        auto* bytes = static_cast<unsigned char*>(b.shared);
        tables.data = reinterpret_cast<double*>(bytes);
        rows = reinterpret_cast<double*>(bytes + Cut::rows_at);
        values = reinterpret_cast<double*>(bytes + Cut::values_at);
        sums = reinterpret_cast<double*>(bytes + Cut::sums_at);
        list = reinterpret_cast<int*>(bytes + Cut::list_at);
        part_list = reinterpret_cast<int*>(bytes + Cut::part_list_at);
        part_columns = reinterpret_cast<int*>(bytes + Cut::part_columns_at);
        chunk_columns = reinterpret_cast<int*>(bytes + Cut::chunk_columns_at);
        ends = reinterpret_cast<int*>(bytes + Cut::small_at);
        part_ends = ends + 16;
        scratch = ends + 32;
        scratch_sums = reinterpret_cast<double*>(scratch + 16);
        coordinates = reinterpret_cast<double*>(bytes + Cut::coordinates_at);
    }

    KOKKOS_FUNCTION double& partial(int field) const {
        return kernel.partials[std::int64_t{field} * Kernel::tiles(kernel.frame) + tile];
    }
    KOKKOS_FUNCTION void run() const {
        using Output = FieldOutput<Kernel, Block>;
        typename Output::Totals totals = {};
        if (!this->empty()) {
            this->set_coordinates(block, kernel.frame, coordinates);
            Page page;
            for (int part = 0; part < Cut::parts; ++part) {
                const int y = part % Cut::parts_y * Cut::part_y,
                          z = part / Cut::parts_y * Cut::part_z;
                if (y + Cut::part_y <= low[1] || y >= high[1] || z + Cut::part_z <= low[2] ||
                    z >= high[2])
                    continue;
                const Output output{kernel, block, sums, first, low, high};
                FieldFetch<Output> fetch(output, y, z, kernel.row_count * Cut::items);
                add_orbitals(page, y, z, fetch);
                output.write(y, z, totals);
                block.barrier();
            }
        }
        for (int f = 0; f < kernel.field_count; ++f) {
            double own = totals[f][0];
            for (int lane = 1; lane < Output::lanes; ++lane) own += totals[f][lane];
            const double total = block_sum(block, own, scratch_sums);
            if (block.rank() == 0) partial(f) = total;
            block.barrier();
        }
    }

  private:
    /// A page of tables. Its groups begin at `start` of the survivors, the next page's at `next`.
    struct Page {
        SurvivorList::Cursor start, next;
        int columns = 0;
        int from = 0;        ///< the next candidates to screen
        bool whole = false;  ///< it holds all survivors of the tile
    };

    /// Makes the sums of all orbitals on the part of the tile that begins at (y, z). If the tile's
    /// survivors fit into one page, its list and axis tables are made once for all parts, and the
    /// list of a part once for all orbitals.
    template <class Fetch>
    KOKKOS_FUNCTION void add_orbitals(Page& page, int y, int z, Fetch& fetch) const {
        const int candidates = kernel.lengths[box];
        bool screened = false;
        Points points(block);
        if constexpr (host) clear(sums, At::count * Cut::points);
        for (int orbital = 0; orbital < kernel.row_count; orbital += Cut::orbitals) {
            begin_orbitals(page.whole, points);
            if (!page.whole) page = {};
            do {
                if (!page.whole && !turn(page, candidates)) break;
                if (!screened) screen_part(page, y, z);
                multiply_page(page.whole, y, z, orbital, points, fetch);
                screened = page.whole;
            } while (!page.whole);
            TESSERA_UNROLL_ALL
            for (int n = 0; n < Cut::orbitals; ++n)
                if (orbital + n < kernel.row_count) end_orbital(page.whole, orbital, n, points);
        }
        if constexpr (!host) {
            points.store(sums);
            block.barrier();
        }
    }

    KOKKOS_FUNCTION void begin_orbitals([[maybe_unused]] bool whole,
                                        [[maybe_unused]] Points& points) const {
        if constexpr (host) {
            if (!whole) clear(values, Cut::Products::outputs * Cut::points);
        } else {
            points.begin_orbitals();
        }
    }

    /// Adds the n-th of the present orbitals to the sums. On a host the products of a whole page
    /// are in them already.
    KOKKOS_FUNCTION void end_orbital([[maybe_unused]] bool whole, int orbital, int n,
                                     [[maybe_unused]] Points& points) const {
        const double* const weights = kernel.weights + 2 * (orbital + n);
        const double alpha = weights[0], beta = weights[1];
        if constexpr (!host) {
            points.end_orbital(n, alpha, beta);
        } else if (!whole) {
            using Few = Pack<double, 8>;
            for (int i = 0; i < Cut::points; i += 8) {
                Few psi[Cut::Products::outputs];
                for (int o = 0; o < Cut::Products::outputs; ++o)
                    psi[o] = Few::at(values + o * Cut::points + i);
                const auto sum = [this, i](int at) -> Few& {
                    return Few::at(sums + at * Cut::points + i);
                };
                FieldSums<Cut, Few, decltype(sum)>{psi, sum}.add(alpha, beta);
            }
        }
    }

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
        page.columns = fill_axis_tables < Shape,
        host ? 16
             : 1 > (block, tables, coordinates, kernel.groups, survivors, page.next, Cut::page);
        page.whole = candidates <= Cut::list && page.start.at == 0 && survivors.done(page.next);
        return true;
    }

    KOKKOS_FUNCTION static void clear(double* data, int size) {
        TESSERA_KEEP_LOOP
        for (int i = 0; i < size; i += 4) Pack<double, 4>::at(data + i) = {};
    }

    /// Lists the survivors among `count` of the box's candidates, sorted by degree like the
    /// candidates.
    KOKKOS_FUNCTION void screen(int from, int count) const {
        const int* candidates = kernel.lists + std::int64_t{box} * kernel.group_count + from;
        const PointRegion region(kernel.frame, first, Shape::x, Shape::y, Shape::z);
        const float drop = kernel.threshold[box];
        block.barrier();
        const int length = append_kept(
            block, count, 0, scratch,
            [&](int i) { return !(region.bound(kernel.bounds, candidates[i]) <= drop); },
            [this, candidates](int at, int i) { list[at] = candidates[i]; });
        block.barrier();
        set_ends(list, length, ends);
    }

    /// Lists those groups of a page that matter on a part of the tile, and their columns.
    KOKKOS_FUNCTION void screen_part(const Page& page, int y, int z) const {
        const std::int64_t corner[3] = {first[0], first[1] + y, first[2] + z};
        const PointRegion region(kernel.frame, corner, Shape::x, Cut::part_y, Cut::part_z);
        const float drop = kernel.threshold[box];
        const SurvivorList survivors{list, ends};
        SurvivorList::Cursor cursor = page.start;
        int columns = 0, length = 0;
        block.barrier();
        for (auto segment = survivors.take(cursor, page.columns); segment.count > 0;
             segment = survivors.take(cursor, page.columns - columns)) {
            const int* const groups = list + segment.first;
            const int width = segment.degree + 1, before = columns;
            length = append_kept(
                block, segment.count, length, scratch,
                [&](int i) {
                    return Cut::parts == 1 || !(region.bound(kernel.bounds, groups[i]) <= drop);
                },
                [=, this](int at, int i) {
                    part_list[at] = groups[i];
                    part_columns[at] = before + i * width;
                });
            columns += segment.columns();
        }
        block.barrier();
        set_ends(part_list, length, part_ends);
    }

    KOKKOS_FUNCTION void set_ends(const int* groups, int length, int* to) const {
        TESSERA_KEEP_LOOP
        for (int i = block.rank(); i < 16; i += block.size) to[i] = 0;
        block.barrier();
        set_degree_ends(block, kernel.degrees, groups, length, to);
        block.barrier();
    }

    /// Adds the groups of a page that matter on a part to the values of an orbital. On a host the
    /// values go into the sums if the page holds all of its groups.
    template <class Fetch>
    KOKKOS_FUNCTION void multiply_page([[maybe_unused]] bool whole, int y, int z, int orbital,
                                       [[maybe_unused]] Points& points, Fetch& fetch) const {
        const SurvivorList survivors{part_list, part_ends};
        SurvivorList::Cursor cursor;
        [[maybe_unused]] bool first = whole;
        while (!survivors.done(cursor)) {
            int done = 0;
            for (auto segment = survivors.take(cursor, Cut::chunk); segment.count > 0;
                 segment = survivors.take(cursor, Cut::chunk - done)) {
                make_rows(segment, done, y, z, orbital);
                done += segment.columns();
            }
            block.barrier();
            if constexpr (host) {
                const double* const weights = kernel.weights + 2 * orbital;
                HostFieldProduct<Cut>{
                    rows, tables.x(0, 0), chunk_columns, done,  values,
                    sums, weights[0],     weights[1],    first, whole && survivors.done(cursor)}
                    .run(fetch);
                first = false;
            } else {
                points.add(rows, tables.x(0, 0), chunk_columns, done);
            }
            block.barrier();
        }
    }

    KOKKOS_FUNCTION void make_rows(const SurvivorList::Segment& segment, int row_column, int y,
                                   int z, int orbital) const {
        constexpr int width = host ? Cut::part_y : 1, depth = host ? Cut::part_z : 1;
        constexpr int at_once = width * depth, per_group = Cut::rows / at_once;
        const double* row_coefficients[Cut::orbitals];
        for (int n = 0; n < Cut::orbitals; ++n)  // after the last orbital it comes again, unused
            row_coefficients[n] =
                kernel.coefficients +
                (orbital + n < kernel.row_count ? orbital + n : orbital) * kernel.stride;
        with_degree(segment.degree, [&](auto degree) {
            constexpr int l = decltype(degree)::value;
            TESSERA_KEEP_LOOP
            for (int item = block.rank(); item < segment.count * per_group; item += block.size) {
                const int g = item / per_group, row = item % per_group * at_once;
                const int at = segment.first + g, column = part_columns[at],
                          first_column = row_column + g * (l + 1);
                if (row == 0)
                    for (int k = 0; k <= l; ++k) chunk_columns[first_column + k] = column + k;
                const double* c[Cut::orbitals];
                for (int n = 0; n < Cut::orbitals; ++n)
                    c[n] = row_coefficients[n] +
                           kernel.degrees.template first_coefficient<l>(part_list[at]);
                if constexpr (host) {  // the next orbital's
                    fetch_ahead(c[0] + kernel.stride);
                    if constexpr (l > 1) fetch_ahead(c[0] + kernel.stride + monomials(l) - 1);
                }
                derivative_rows<l, derivatives, Cut::orbitals, width, depth, Cut::rows,
                                Cut::column_pitch>(tables, column, y + row % Cut::part_y,
                                                   z + row / Cut::part_y, c,
                                                   rows + first_column * Cut::column_pitch + row);
            }
        });
    }
};

}  // namespace tessera::kernels
