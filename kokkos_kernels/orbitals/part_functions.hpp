// The functions of a page of groups on the points of a part, split for the products.
#pragma once

#include "kokkos_kernels/orbitals/axis_tables.hpp"
#include "kokkos_kernels/orbitals/product_cut.hpp"

namespace tessera::kernels {

/// Fills `functions`, the columns of Product, from the page's axis tables.
template <class Cut, class Block>
struct PartFunctions {
    using Part = typename Cut::Part;
    using Product = typename Cut::Product;

    const Block& block;
    const AxisTables<float, Part, Cut::page>& tables;
    std::uint32_t* functions;
    int begin_x, end_x;  ///< requested points; functions are zero on the others

    /// Fills the groups [group, next), whose pairs begin at offsets[g] - offsets[group], and zeros
    /// up to `pairs`. A warp takes a group. A lane takes points of one x, and goes through its
    /// share of y and z.
    KOKKOS_FORCEINLINE_FUNCTION void fill(const GroupFill* fills, const int* offsets, int group,
                                          int next, int pairs) const {
        constexpr int lanes = Block::size == 1 ? 1 : warp_lanes, warps = Block::size / lanes;
        // The planes are halved, so that the warps have equal shares.
        constexpr int halves = lanes > 1 && Part::z % 4 == 0 ? 2 : 1, deep = Part::z / halves;
        const int base = offsets[group], used = offsets[next] - base;
        TESSERA_KEEP_LOOP
        for (int item = block.rank() / lanes; item < (next - group) * halves; item += warps) {
            const int g = group + item / halves, z = item % halves * deep;
            const GroupFill of = fills[g - group];
            with_degree(of.kind / 2, [&](auto degree) {
                constexpr int l = decltype(degree)::value;
                if (l > 0 && of.kind % 2 == 1)
                    fill_group<l, l, lanes>(offsets[g] - base, of.scale, z, z + deep);
                else
                    fill_group<l, 0, lanes>(offsets[g] - base, of.scale, z, z + deep);
            });
        }
        for (int i = block.rank(); i < (pairs - used) * Part::points; i += block.size)
            put(used + i / Part::points, i % Part::points, {0, 0});
    }

  private:
    /// Powers 0 .. L of one coordinate, times the exponential along its axis.
    template <int L>
    struct Powers {
        float of[L + 1];
        KOKKOS_FORCEINLINE_FUNCTION void read(const float* table, int pitch, float scale) {
            TESSERA_UNROLL_ALL
            for (int k = 0; k <= L; ++k) of[k] = table[k * pitch] * scale;
        }
    };

    /// Monomials of degree Low .. L of the group at pair `at` on the points of some planes.
    template <int L, int Low, int Lanes>
    KOKKOS_FORCEINLINE_FUNCTION void fill_group(int at, float scale, int begin_z, int end_z) const {
        constexpr int wide = Lanes < Part::x ? Lanes : Part::x, high = Lanes / wide;
        constexpr int turns_y = Part::y / high, planes = Part::z % 2 == 0 && L <= 2 ? 2 : 1;
        static_assert(Part::x % 16 == 0 && Part::x % wide == 0 && Part::y % high == 0);
        const int lane = block.rank() % Lanes, y = lane / wide;
        TESSERA_KEEP_LOOP
        for (int x = lane % wide; x < Part::x; x += wide) {
            const int column = Product::column_order(x);
            Powers<L> along_x;
            along_x.read(tables.x(at) + x, Part::x, x >= begin_x && x < end_x ? scale : 0.0F);
            // Read several points before the first function is written, so that reads do not wait
            // for writes.
            constexpr int at_once = Lanes > 1 && L <= 2 ? turns_y : 1;
            TESSERA_KEEP_LOOP
            for (int from = 0; from < turns_y; from += at_once) {
                Powers<L> along_y[at_once];
                TESSERA_UNROLL_ALL
                for (int i = 0; i < at_once; ++i)
                    along_y[i].read(tables.y(at) + y + (from + i) * high, Part::y, 1);
                TESSERA_KEEP_LOOP
                for (int z = begin_z; z < end_z; z += planes) {
                    Powers<L> along_z[planes];
                    TESSERA_UNROLL_ALL
                    for (int j = 0; j < planes; ++j)
                        along_z[j].read(tables.z(at) + z + j, Part::z, 1);
                    TESSERA_UNROLL_ALL
                    for (int i = 0; i < at_once; ++i) TESSERA_UNROLL_ALL
                    for (int j = 0; j < planes; ++j)
                        fill_point<L, Low>(
                            at, ((z + j) * Part::y + y + (from + i) * high) * Part::x + column,
                            along_x, along_y[i], along_z[j]);
                }
            }
        }
    }

    template <int L, int Low>
    KOKKOS_FORCEINLINE_FUNCTION void fill_point(int at, int column, const Powers<L>& x,
                                                const Powers<L>& y, const Powers<L>& z) const {
        float before = 0;
        int m = 0;
        TESSERA_UNROLL_ALL
        for (int degree = Low; degree <= L; ++degree) {
            TESSERA_UNROLL_ALL
            for (int i = degree; i >= 0; --i) {
                TESSERA_UNROLL_ALL
                for (int j = degree - i; j >= 0; --j) {
                    const float value = x.of[i] * y.of[j] * z.of[degree - i - j];
                    if (m % 2 == 1) put(at + m / 2, column, split_pair(before, value));
                    before = value;
                    ++m;
                }
            }
        }
        if (m % 2 == 1) put(at + m / 2, column, split_pair(before, 0));
    }

    KOKKOS_FORCEINLINE_FUNCTION void put(int pair, int column, const SplitPair& values) const {
        const int at = Product::column_place(pair, column);
        functions[at] = values.high;
        functions[Cut::function_words + at] = values.low;
    }
};

}  // namespace tessera::kernels
