// The work of a block of the kernel for derived fields.
#pragma once

#include "kokkos_kernels/orbitals/field_formulas.hpp"
#include "kokkos_kernels/orbitals/field_product.hpp"
#include "kokkos_kernels/orbitals/field_tables.hpp"
#include "kokkos_kernels/orbitals/survivor_list.hpp"

namespace tessera::kernels {

/// A block's work on a tile. It goes over slabs of planes and over orbitals, and adds each orbital's
/// derivatives on the slab to the slab's sums. After the last orbital the sums become fields.
template <class Kernel, class Block>
struct FieldWork {
    using Cut = typename Kernel::Sizes;
    using Shape = typename Cut::Shape;
    using At = typename Cut::SumsAt;
    using Tables = DerivativeTables<Shape, Cut::page, Cut::Products::orders>;
    static constexpr bool host = Block::size == 1;
    static constexpr FieldDerivatives derivatives = Cut::derivatives;
    static constexpr int number = static_cast<int>(sizeof(double));

    const Kernel& kernel;
    const Block& block;
    int box, tile;          ///< box of the pass, tile of the frame
    std::int64_t first[3];  ///< grid point
    int low[3], high[3];    ///< requested points of the tile
    Tables tables;
    double *rows, *values, *sums, *coordinates, *scratch_sums;
    int *list, *ends, *scratch;

    KOKKOS_FUNCTION FieldWork(const Kernel& k, const Block& b) : kernel(k), block(b) {
        box = b.index / Shape::tiles_per_box;
        if (k.box_count == k.frame.box_count()) box = k.frame.middle_first(box);
        const int inner = b.index % Shape::tiles_per_box;
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
        auto* bytes = static_cast<unsigned char*>(b.shared);
        tables.data = reinterpret_cast<double*>(bytes);
        rows = reinterpret_cast<double*>(bytes + Cut::rows_at);
        values = reinterpret_cast<double*>(bytes + Cut::values_at);
        sums = reinterpret_cast<double*>(bytes + Cut::sums_at);
        list = reinterpret_cast<int*>(bytes + Cut::list_at);
        ends = reinterpret_cast<int*>(bytes + Cut::small_at);
        scratch = ends + 16;
        scratch_sums = reinterpret_cast<double*>(scratch + 16);
        coordinates = reinterpret_cast<double*>(bytes + Cut::coordinates_at);
    }

    KOKKOS_FUNCTION double& partial(int field) const {
        return kernel.partials[std::int64_t{field} * Kernel::tiles(kernel.frame) + tile];
    }
    KOKKOS_FUNCTION bool empty() const {
        return low[0] >= high[0] || low[1] >= high[1] || low[2] >= high[2];
    }

    /// If the tile's survivors fit into one page, its list and axis tables are made once.
    KOKKOS_FUNCTION void run() const {
        double totals[derived_fields] = {};
        if (!empty()) {
            const int candidates = kernel.lengths[box];
            bool whole = false;
            Page page;
            set_coordinates();
            for (int slab = 0; slab < Shape::z; slab += Cut::slab) {
                if (slab + Cut::slab <= low[2] || slab >= high[2]) continue;
                clear(sums, At::count * Cut::points);
                for (int orbital = 0; orbital < kernel.row_count; ++orbital) {
                    clear(values, Cut::Products::outputs * Cut::points);
                    if (!whole) page = {};
                    do {
                        if (!whole && !turn(page, candidates)) break;
                        multiply_page(page, slab, orbital);
                    } while (!whole);
                    whole = candidates <= Cut::list && page.start.at == 0;
                    block.barrier();
                    add_orbital(orbital);
                    block.barrier();
                }
                write_slab(slab, totals);
                block.barrier();
            }
        }
        for (int f = 0; f < kernel.field_count; ++f) {
            const double total = block_sum(block, totals[f], scratch_sums);
            if (block.rank() == 0) partial(f) = total;
            block.barrier();
        }
    }

  private:
    /// A page of tables. Its groups begin at `start` of the survivors, the next page's at `next`.
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
        page.columns = fill_tables(survivors, page.next);
        return true;
    }

    KOKKOS_FUNCTION void clear(double* data, int size) const {
        TESSERA_KEEP_LOOP
        for (int i = 4 * block.rank(); i < size; i += 4 * block.size)
            Pack<double, 4>::at(data + i) = {};
    }

    /// Sets the coordinates of the tile's points along x, then y, then z.
    KOKKOS_FUNCTION void set_coordinates() const {
        TESSERA_KEEP_LOOP
        for (int i = block.rank(); i < Shape::axes; i += block.size) {
            const int axis = i < Shape::x ? 0 : i < Shape::x + Shape::y ? 1 : 2;
            const int before = axis == 0 ? 0 : axis == 1 ? Shape::x : Shape::x + Shape::y;
            coordinates[i] = kernel.frame.coordinate(axis, first[axis] + i - before);
        }
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
        // The last group of each degree writes the end of this degree and of the empty degrees
        // above it.
        TESSERA_KEEP_LOOP
        for (int i = block.rank(); i < length; i += block.size) {
            const int degree = kernel.degrees.degree_of(list[i]);
            const int next =
                i + 1 < length ? kernel.degrees.degree_of(list[i + 1]) : max_degree + 1;
            for (int l = degree; l < next; ++l) ends[l] = i + 1;
        }
        block.barrier();
    }

    /// Makes axis tables of as many groups from the cursor on as fit. Returns their number of
    /// columns.
    KOKKOS_FUNCTION int fill_tables(const SurvivorList& survivors,
                                    SurvivorList::Cursor& cursor) const {
        constexpr int width = host ? 16 : 1, items = Shape::axes / width;
        int columns = 0;
        for (auto segment = survivors.take(cursor, Cut::page); segment.count > 0;
             segment = survivors.take(cursor, Cut::page - columns)) {
            with_degree(segment.degree, [&](auto degree) {
                constexpr int l = decltype(degree)::value;
                TESSERA_KEEP_LOOP
                for (int item = block.rank(); item < segment.count * items; item += block.size)
                    tables.template fill<l, width>(
                        coordinates, kernel.groups[survivors.groups[segment.first + item / items]],
                        columns + item / items * (l + 1), item % items * width);
            });
            columns += segment.columns();
        }
        block.barrier();
        return columns;
    }

    /// Adds the page's groups to the values of an orbital on a slab.
    KOKKOS_FUNCTION void multiply_page(const Page& page, int slab, int orbital) const {
        const SurvivorList survivors{list, ends};
        SurvivorList::Cursor cursor = page.start;
        for (int column = 0; column < page.columns;) {
            const int left = page.columns - column, room = left < Cut::chunk ? left : Cut::chunk;
            int done = 0;
            for (auto segment = survivors.take(cursor, room); segment.count > 0;
                 segment = survivors.take(cursor, room - done)) {
                make_rows(segment, column + done, done, slab, orbital);
                done += segment.columns();
            }
            block.barrier();
            FieldProduct<Cut>::add(block, rows, tables.x(column, 0), done, values);
            block.barrier();
            column += done;
        }
    }

    KOKKOS_FUNCTION void make_rows(const SurvivorList::Segment& segment, int column, int row_column,
                                   int slab, int orbital) const {
        const SurvivorList survivors{list, ends};
        constexpr int width = host ? Shape::y : 1, per_group = Cut::rows / width;
        constexpr int kinds = Cut::Products::kinds;
        const double* const row_coefficients = kernel.coefficients + orbital * kernel.stride;
        with_degree(segment.degree, [&](auto degree) {
            constexpr int l = decltype(degree)::value;
            TESSERA_KEEP_LOOP
            for (int item = block.rank(); item < segment.count * per_group; item += block.size) {
                const int g = item / per_group, row = item % per_group * width;
                const double* const c =
                    row_coefficients + kernel.degrees.template first_coefficient<l>(
                                           survivors.groups[segment.first + g]);
                derivative_rows<l, derivatives, width, Cut::rows>(
                    tables, column + g * (l + 1), row % Shape::y, slab + row / Shape::y, c,
                    rows + (row_column + g * (l + 1)) * kinds * Cut::rows + row);
            }
        });
    }

    /// Adds an orbital's values and derivatives to the sums, several points at once.
    KOKKOS_FUNCTION void add_orbital(int orbital) const {
        const double alpha = kernel.weights[2 * orbital], beta = kernel.weights[2 * orbital + 1];
        constexpr int width = host ? 8 : 1;
        using Few = Pack<double, width>;
        TESSERA_KEEP_LOOP
        for (int i = block.rank() * width; i < Cut::points; i += block.size * width) {
            Few psi[Cut::Products::outputs];
            TESSERA_UNROLL_ALL
            for (int o = 0; o < Cut::Products::outputs; ++o)
                psi[o] = Few::at(values + o * Cut::points + i);
            if (alpha != 0) add_spin(At::alpha, alpha, psi, i);
            if (beta != 0) add_spin(At::beta, beta, psi, i);
            add_both(alpha + beta, psi, i);
        }
    }

    template <class Few, int Outputs>
    KOKKOS_INLINE_FUNCTION void add_spin(int at, double weight, const Few (&psi)[Outputs],
                                         int i) const {
        TESSERA_UNROLL_ALL
        for (int o = 0; o < 4; ++o) {
            Few& sum = Few::at(sums + (at + o) * Cut::points + i);
            for (int w = 0; w < width_of<Few>; ++w) sum.v[w] += weight * psi[0].v[w] * psi[o].v[w];
        }
    }

    template <class Few, int Outputs>
    KOKKOS_INLINE_FUNCTION void add_both(double weight, const Few (&psi)[Outputs], int i) const {
        const auto add = [&](int at, const auto& term) {
            Few& sum = Few::at(sums + at * Cut::points + i);
            for (int w = 0; w < width_of<Few>; ++w) sum.v[w] += weight * term(w);
        };
        add(At::squares, [&](int w) {
            return psi[1].v[w] * psi[1].v[w] + psi[2].v[w] * psi[2].v[w] +
                   psi[3].v[w] * psi[3].v[w];
        });
        if constexpr (derivatives == FieldDerivatives::laplacian)
            add(At::second, [&](int w) { return psi[0].v[w] * psi[4].v[w]; });
        if constexpr (derivatives == FieldDerivatives::hessian) {
            int at = 0;
            TESSERA_UNROLL_ALL
            for (int a = 1; a <= 3; ++a) TESSERA_UNROLL_ALL
            for (int b = a; b <= 3; ++b) {
                add(At::second + at, [&](int w) {
                    return psi[a].v[w] * psi[b].v[w] + psi[0].v[w] * psi[4 + at].v[w];
                });
                ++at;
            }
        }
    }
    template <class Few>
    static constexpr int width_of = static_cast<int>(sizeof(Few) / sizeof(double));

    /// Makes the fields of a slab's requested points, and adds them to the totals of this thread.
    KOKKOS_FUNCTION void write_slab(int slab, double (&totals)[derived_fields]) const {
        using Formulas = FieldFormulas<derivatives, Cut::points>;
        const Formulas formulas{sums, kernel.polarised};
        const std::int64_t nx = kernel.frame.end[0] - kernel.frame.begin[0],
                           ny = kernel.frame.end[1] - kernel.frame.begin[1],
                           nz = kernel.frame.end[2] - kernel.frame.begin[2];
        constexpr int width = host ? Shape::x : 1;
        for (int f = 0; f < kernel.field_count; ++f)
            with_field<derivatives>(kernel.fields[f], [&]<DerivedField F>() {
                TESSERA_KEEP_LOOP
                for (int i = block.rank() * width; i < Cut::points; i += block.size * width) {
                    const int x = i % Shape::x, y = i / Shape::x % Shape::y,
                              z = slab + i / (Shape::x * Shape::y);
                    if (y < low[1] || y >= high[1] || z < low[2] || z >= high[2]) continue;
                    double few[width];
                    for (int w = 0; w < width; ++w) few[w] = formulas.template value<F>(i + w);
                    const std::int64_t at = ((f * nz + first[2] - kernel.frame.begin[2] + z) * ny +
                                             first[1] - kernel.frame.begin[1] + y) *
                                                nx +
                                            first[0] - kernel.frame.begin[0] + x;
                    for (int w = 0; w < width; ++w) {
                        if (x + w < low[0] || x + w >= high[0]) continue;
                        totals[f] += few[w];
                        if (kernel.out != nullptr) kernel.out[at + w] = few[w];
                    }
                }
            });
    }
};

}  // namespace tessera::kernels
