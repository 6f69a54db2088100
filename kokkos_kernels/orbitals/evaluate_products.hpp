// Many orbitals at once: the functions that survive on a few points are evaluated once, and multiplied
// by the coefficients of all orbitals on tensor cores.
#pragma once

#include "kokkos_kernels/orbitals/axis_tables.hpp"
#include "kokkos_kernels/orbitals/function_pairs.hpp"

namespace tessera::kernels {

/// What a block works with: Part points at a time, Product::Rows orbitals at a time.
template <class PartShape, class SplitProductType, int Rows, int BlocksPerUnit, int PairsPerPage>
struct ProductCut {
    using Part = PartShape;
    using Product = SplitProductType;
    static constexpr int threads = Product::threads, blocks_per_unit = BlocksPerUnit;
    static constexpr int rows = Rows;          ///< orbitals of a pass
    static constexpr int page = PairsPerPage;  ///< pairs of functions held
    static constexpr int stages = 3;           ///< steps of coefficients held, in flight
    static constexpr int batch = 192;          ///< orbitals a block does at most
    static constexpr int list = 512;           ///< candidates looked at at once
    static_assert(page % step_pairs == 0 && batch % rows == 0 && rows % 16 == 0);

    // Shared memory, in bytes from its start.
    static constexpr int functions_at = 0;
    static constexpr int function_words = page * Product::column_pitch;  ///< high ones, or low ones
    static constexpr int stages_at = functions_at + 2 * function_words * 4;
    static constexpr int tables_at = stages_at + stages * Product::step_words * 4;
    static constexpr int sums_at = tables_at + page * Part::axes * static_cast<int>(sizeof(float));
    static constexpr int totals_at = sums_at + batch * 8;
    static constexpr int coordinates_at = totals_at + rows * Product::warp_columns * 8;
    static constexpr int list_at = coordinates_at + Part::axes * 8;
    static constexpr int offsets_at = list_at + list * 4;
    static constexpr int pair_rows_at = offsets_at + (list + 4) * 4;
    static constexpr int scratch_at = pair_rows_at + page * 4;
    static constexpr int bytes = scratch_at + 64;
};

/// Parts of 8 x 4 x 4 points; `Rounded` as SplitProduct has it.
template <int Rows, int WarpRows, int WarpColumns, bool Rounded, int BlocksPerUnit,
          int PairsPerPage, class Part = TileShape<8, 4, 4, 1>>
using PartCut = ProductCut<Part, SplitProduct<Rows, Part::points, WarpRows, WarpColumns, Rounded>,
                           Rows, BlocksPerUnit, PairsPerPage>;
using ManyProductsCut = PartCut<96, 2, 4, true, 1, 64, TileShape<8, 8, 4, 1>>;

/// Values on all tiles of some boxes and the sums of their squares, as EvaluateTiles gives them. A value
/// is a sum over the surviving functions of its part of the tile, in order: no block, batch or place
/// in it changes its bits.
template <class Shape, class Cut, int Threads = Cut::threads>
struct EvaluateProducts {
    using Part = typename Cut::Part;
    using Product = typename Cut::Product;
    static constexpr int threads = Threads, blocks_per_unit = Cut::blocks_per_unit;
    static constexpr int shared_bytes = Cut::bytes;
    static constexpr int parts_x = Shape::x / Part::x, parts_y = Shape::y / Part::y;
    static constexpr int parts = Shape::points / Part::points;
    static_assert(Shape::x % Part::x == 0 && Shape::y % Part::y == 0 && Shape::z % Part::z == 0);

    TileFrame frame;
    GroupBounds bounds;
    const DeviceGroup* groups;
    DegreeIndex degrees;
    const GroupFunctions* functions;
    const std::uint32_t* coefficients;  ///< as PackPairs leaves them, a pair of zeros at the end
    int pitch, zero_pair;
    int first_box, box_count;  ///< of this launch
    int group_count;
    const int *lists, *lengths;
    const float* threshold;
    const float* row_scale;
    const int* orbitals;  ///< [orbital_count] rows of row_scale
    int orbital_count;
    float* out;        ///< [orbital][z][y][x] of the grid block, or null
    double* partials;  ///< [orbital][tile]

    int blocks() const {
        return box_count * Shape::tiles_per_box * ((orbital_count + Cut::batch - 1) / Cut::batch);
    }
    KOKKOS_FUNCTION static int tiles(const TileFrame& frame) {
        return frame.box_count() * Shape::tiles_per_box;
    }

    template <class Block>
    KOKKOS_FUNCTION void operator()(const Block& block) const {
        [[maybe_unused]] const FlushDenormals on_hosts;
        Work<Block>(*this, block).run();
    }

  private:
    using Tables = AxisTables<float, Part, Cut::page>;

    template <class Block>
    struct Work {
        const EvaluateProducts& kernel;
        const Block& block;
        int box, tile;               ///< box of the pass, tile of the frame
        int begin, end;              ///< orbitals
        std::int64_t tile_first[3];  ///< grid point
        std::int64_t first[3];       ///< of the part
        int low[3], high[3];         ///< points of the part that are asked for
        std::uint32_t *functions, *stages;
        Tables tables;
        double *sums, *totals, *coordinates;
        int *list, *offsets, *scratch;
        unsigned* pair_rows;  ///< where the coefficients of the page's pairs begin

        KOKKOS_FORCEINLINE_FUNCTION Work(const EvaluateProducts& k, const Block& b)
            : kernel(k), block(b) {
            const int tile_index = b.index % (k.box_count * Shape::tiles_per_box);
            begin = b.index / (k.box_count * Shape::tiles_per_box) * Cut::batch;
            end = begin + Cut::batch < k.orbital_count ? begin + Cut::batch : k.orbital_count;
            box = tile_index / Shape::tiles_per_box;
            const int inner = tile_index % Shape::tiles_per_box;
            tile = (k.first_box + box) * Shape::tiles_per_box + inner;
            k.frame.template box_point<Shape>(k.first_box + box, tile_first);
            tile_first[0] += inner % Shape::box * Shape::x;
            tile_first[1] += inner / Shape::box % Shape::box * Shape::y;
            tile_first[2] += inner / (Shape::box * Shape::box) * Shape::z;
            auto* bytes = static_cast<unsigned char*>(b.shared);
            functions = reinterpret_cast<std::uint32_t*>(bytes + Cut::functions_at);
            stages = reinterpret_cast<std::uint32_t*>(bytes + Cut::stages_at);
            tables.data = reinterpret_cast<float*>(bytes + Cut::tables_at);
            sums = reinterpret_cast<double*>(bytes + Cut::sums_at);
            totals = reinterpret_cast<double*>(bytes + Cut::totals_at);
            coordinates = reinterpret_cast<double*>(bytes + Cut::coordinates_at);
            list = reinterpret_cast<int*>(bytes + Cut::list_at);
            offsets = reinterpret_cast<int*>(bytes + Cut::offsets_at);
            pair_rows = reinterpret_cast<unsigned*>(bytes + Cut::pair_rows_at);
            scratch = reinterpret_cast<int*>(bytes + Cut::scratch_at);
        }

        KOKKOS_FORCEINLINE_FUNCTION void run() {
            for (int o = block.rank(); o < end - begin; o += block.size) sums[o] = 0;
            TESSERA_KEEP_LOOP
            for (int part = 0; part < parts; ++part)
                if (go_to(part)) evaluate_part();
            for (int o = block.rank(); o < end - begin; o += block.size)
                kernel.partials[std::int64_t{begin + o} * tiles(kernel.frame) + tile] = sums[o];
        }

        /// False where none of the part's points is asked for.
        KOKKOS_FORCEINLINE_FUNCTION bool go_to(int part) {
            const int place[3] = {part % parts_x * Part::x, part / parts_x % parts_y * Part::y,
                                  part / (parts_x * parts_y) * Part::z};
            const int size[3] = {Part::x, Part::y, Part::z};
            bool any = true;
            for (int a = 0; a < 3; ++a) {
                first[a] = tile_first[a] + place[a];
                const std::int64_t from = kernel.frame.begin[a] - first[a],
                                   to = kernel.frame.end[a] - first[a];
                low[a] = static_cast<int>(from > 0 ? (from < size[a] ? from : size[a]) : 0);
                high[a] = static_cast<int>(to < size[a] ? (to > 0 ? to : 0) : size[a]);
                any &= low[a] < high[a];
            }
            return any;
        }

        /// Pages of functions, for Cut::rows orbitals after another. Where all survivors fit into one page
        /// it is made once.
        KOKKOS_FORCEINLINE_FUNCTION void evaluate_part() {
            const int candidates = kernel.lengths[box];
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
                            length = screen(from, candidates);
                            group = 0;
                            from += Cut::list;
                        }
                        const int next = page_end(group, length);
                        pairs = start_page(group, next);
                        start_copies(o, 0, pairs);
                        start_copies(o, 1, pairs);
                        fill_functions(group, next, pairs);
                        group = next;
                    } else {
                        start_copies(o, 0, pairs);
                        start_copies(o, 1, pairs);
                    }
                    multiply(product, o, pairs);
                    ++pages;
                } while (group < length || from < candidates);
                whole = whole || (pages == 1 && candidates <= Cut::list);
                finish(product, o);
            }
        }

        /// The survivors among the candidates from `from` on, and where their pairs begin.
        KOKKOS_FORCEINLINE_FUNCTION int screen(int from, int candidates) const {
            const int* candidate = kernel.lists + std::int64_t{box} * kernel.group_count + from;
            const int left = candidates - from, count = left < Cut::list ? left : Cut::list;
            const PointRegion region(kernel.frame, first, Part::x, Part::y, Part::z);
            const float drop = kernel.threshold[box];
            if (from == 0)
                for (int i = block.rank(); i < Part::axes; i += block.size) {
                    const int axis = i < Part::x ? 0 : i < Part::x + Part::y ? 1 : 2;
                    // No index into first[]: it lives in registers.
                    const std::int64_t index = axis == 0   ? first[0] + i
                                               : axis == 1 ? first[1] + i - Part::x
                                                           : first[2] + i - Part::x - Part::y;
                    coordinates[i] = kernel.frame.coordinate(axis, index);
                }
            const int length = append_kept(
                block, count, 0, scratch,
                [&](int i) { return !(region.bound(kernel.bounds, candidate[i]) <= drop); },
                [this, candidate](int at, int i) { list[at] = candidate[i]; });
            block.barrier();
            const GroupFunctions* groups = kernel.functions;
            running_sums(
                block, length, scratch, [this, groups](int i) { return groups[list[i]].pairs; },
                offsets);
            block.barrier();
            return length;
        }

        /// The end of the groups from `group` on whose pairs fit into a page.
        KOKKOS_FORCEINLINE_FUNCTION int page_end(int group, int length) const {
            int fits = group, beyond = length + 1;
            while (beyond - fits > 1) {
                const int middle = (fits + beyond) / 2;
                (offsets[middle] - offsets[group] <= Cut::page ? fits : beyond) = middle;
            }
            return fits;
        }

        /// Tables of the page's groups and the places of their coefficients; returns the pairs, rounded up
        /// to whole steps.
        KOKKOS_FORCEINLINE_FUNCTION int start_page(int group, int next) const {
            const int base = offsets[group], used = offsets[next] - base;
            const int pairs = (used + step_pairs - 1) / step_pairs * step_pairs;
            constexpr int width = Block::size == 1 ? 4 : 1, items = Part::axes / width;
            TESSERA_KEEP_LOOP
            for (int item = block.rank(); item < (next - group) * items; item += block.size) {
                const int g = group + item / items;
                const DeviceGroup& of = kernel.groups[list[g]];
                with_degree(kernel.degrees.degree_of(list[g]), [&](auto degree) {
                    tables.template fill<decltype(degree)::value, width>(
                        coordinates, of, offsets[g] - base, item % items * width);
                });
            }
            for (int g = group + block.rank(); g < next; g += block.size) {
                const GroupFunctions of = kernel.functions[list[g]];
                for (int p = 0; p < of.pairs; ++p)
                    pair_rows[offsets[g] - base + p] = row_of(of.first_pair + p);
            }
            for (int p = used + block.rank(); p < pairs; p += block.size)
                pair_rows[p] = row_of(kernel.zero_pair);
            block.barrier();
            return pairs;
        }

        /// Words before a pair's coefficients; 2^32 of them would be 16 GiB.
        KOKKOS_FORCEINLINE_FUNCTION unsigned row_of(int pair) const {
            return 2U * static_cast<unsigned>(pair) * static_cast<unsigned>(kernel.pitch);
        }

        /// Coefficients of one step of pairs, if there is one. A warp copies a row.
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

        KOKKOS_FORCEINLINE_FUNCTION void fill_functions(int group, int next, int pairs) const {
            const int base = offsets[group], used = offsets[next] - base;
            TESSERA_KEEP_LOOP
            for (int item = block.rank(); item < (next - group) * Part::points;
                 item += block.size) {
                const int g = group + item / Part::points, point = item % Part::points;
                const GroupFunctions& of = kernel.functions[list[g]];
                const int at = offsets[g] - base;
                with_degree(kernel.degrees.degree_of(list[g]), [&](auto degree) {
                    constexpr int l = decltype(degree)::value;
                    if (l > 0 && of.only_top)
                        fill_group<l, l>(at, point, of.scale);
                    else
                        fill_group<l, 0>(at, point, of.scale);
                });
            }
            for (int i = block.rank(); i < (pairs - used) * Part::points; i += block.size)
                put(used + i / Part::points, i % Part::points, {0, 0});
        }

        /// Monomials of degree Low .. L of the group at pair `at`.
        template <int L, int Low>
        KOKKOS_FORCEINLINE_FUNCTION void fill_group(int at, int point, float scale) const {
            const int x = point % Part::x, y = point / Part::x % Part::y,
                      z = point / (Part::x * Part::y);
            float along_x[L + 1], along_y[L + 1], along_z[L + 1];
            TESSERA_UNROLL_ALL
            for (int k = 0; k <= L; ++k) {
                along_x[k] = tables.x(at + k)[x] * scale;
                along_y[k] = tables.y(at + k)[y];
                along_z[k] = tables.z(at + k)[z];
            }
            float before = 0;
            int m = 0;
            TESSERA_UNROLL_ALL
            for (int degree = Low; degree <= L; ++degree) {
                TESSERA_UNROLL_ALL
                for (int i = degree; i >= 0; --i) {
                    TESSERA_UNROLL_ALL
                    for (int j = degree - i; j >= 0; --j) {
                        const float value = along_x[i] * along_y[j] * along_z[degree - i - j];
                        if (m % 2 == 1) put(at + m / 2, point, split_pair(before, value));
                        before = value;
                        ++m;
                    }
                }
            }
            if (m % 2 == 1) put(at + m / 2, point, split_pair(before, 0));
        }

        KOKKOS_FORCEINLINE_FUNCTION void put(int pair, int point, const SplitPair& values) const {
            const int at = Product::column_place(pair, point);
            functions[at] = values.high;
            functions[Cut::function_words + at] = values.low;
        }

        /// The first two steps are under way. Ends with all threads' operands free again only after a barrier.
        KOKKOS_FORCEINLINE_FUNCTION void multiply(Product& product, int orbital, int pairs) const {
            TESSERA_KEEP_LOOP
            for (int step = 0; step * step_pairs < pairs; ++step) {
                wait_for_copies<Cut::stages - 2>();
                block.barrier();
                start_copies(orbital, step + Cut::stages - 1, pairs);
                const std::uint32_t* columns =
                    functions + step * step_pairs * Product::column_pitch;
                product.add(stages + step % Cut::stages * Product::step_words, columns,
                            columns + Cut::function_words);
            }
        }

        /// What the values of an orbital need; of the functions' scale nothing is left.
        struct Row {
            bool asked;
            float unscale;
            std::int64_t corner;
        };

        /// Writes the values of a pass and adds up their squares.
        KOKKOS_FORCEINLINE_FUNCTION void finish(const Product& product, int orbital) const {
            const std::int64_t nx = kernel.frame.end[0] - kernel.frame.begin[0],
                               ny = kernel.frame.end[1] - kernel.frame.begin[1],
                               nz = kernel.frame.end[2] - kernel.frame.begin[2];
            // The part's point (0, 0, 0) in the first grid, which may lie before the block's first.
            const std::int64_t corner =
                ((first[2] - kernel.frame.begin[2]) * ny + first[1] - kernel.frame.begin[1]) * nx +
                first[0] - kernel.frame.begin[0];
            const bool in_twos = (reinterpret_cast<std::uintptr_t>(kernel.out) / 4 % 2 | nx % 2 |
                                  kernel.frame.begin[0] % 2) == 0;
            const auto begin_row = [&](int row) {
                const int o = orbital + row;
                const bool asked = o < end;
                return Row{asked, asked ? 1 / kernel.row_scale[kernel.orbitals[o]] : 0.0F,
                           o * (nx * ny * nz) + corner};
            };
            product.finish(totals, begin_row, [&](const Row& row, int column, float a, float b) {
                const int x = column % Part::x, y = column / Part::x % Part::y,
                          z = column / (Part::x * Part::y);
                double sum = 0;
                if (!row.asked || y < low[1] || y >= high[1] || z < low[2] || z >= high[2])
                    return sum;
                a *= row.unscale;
                b *= row.unscale;
                const bool first_in = x >= low[0] && x < high[0],
                           second_in = x + 1 >= low[0] && x + 1 < high[0];
                sum = (first_in ? squared(a) : 0.0) + (second_in ? squared(b) : 0.0);
                if (kernel.out == nullptr) return sum;
                float* to = kernel.out + row.corner + (z * ny + y) * nx + x;
                if (in_twos && first_in && second_in) {
                    Pack<float, 2>::at(to) = {a, b};
                } else {
                    if (first_in) to[0] = a;
                    if (second_in) to[1] = b;
                }
                return sum;
            });
            block.barrier();
            for (int row = block.rank(); row < Cut::rows && orbital + row < end; row += block.size)
                for (int w = 0; w < Product::warp_columns; ++w)
                    sums[orbital - begin + row] += totals[row * Product::warp_columns + w];
            block.barrier();
        }

        KOKKOS_FORCEINLINE_FUNCTION static double squared(float value) {
            return static_cast<double>(value) * static_cast<double>(value);
        }
    };
};

}  // namespace tessera::kernels
