// What a block of the kernel for many orbitals holds in its fast memory.
#pragma once

#include "kokkos_kernels/orbitals/function_pairs.hpp"
#include "kokkos_kernels/orbitals/point_tile.hpp"

namespace tessera::kernels {

/// A candidate of a tile.
struct NearGroup {
    DeviceGroup group;
    GroupFunctions functions;
};

/// What the filling of a group's functions needs to know about the group.
struct GroupFill {
    int kind;  ///< 2 degree + only_top
    float scale;
};

/// Sizes of a block's work: Part points at a time, and Product::Rows orbitals at a time.
template <class PartShape, class SplitProductType, int Rows, int BlocksPerUnit, int PairsPerPage>
struct ProductCut {
    using Part = PartShape;
    using Product = SplitProductType;
    static constexpr int threads = Product::threads, blocks_per_unit = BlocksPerUnit;
    static constexpr int rows = Rows;          ///< orbitals per pass
    static constexpr int page = PairsPerPage;  ///< pairs of functions held
    static constexpr int stages = 3;           ///< steps of coefficients in flight
    static constexpr int batch = 192;          ///< most orbitals per block
    static constexpr int list = 512;           ///< candidates screened at once
    static_assert(page % step_pairs == 0 && batch % rows == 0 && rows % 16 == 0);

    // Shared memory, in bytes from its start.
    static constexpr int functions_at = 0;
    static constexpr int function_words =
        page * Product::column_pitch;  ///< words of the high or of the low parts
    static constexpr int stages_at = functions_at + 2 * function_words * 4;
    static constexpr int tables_at = stages_at + stages * Product::step_words * 4;
    static constexpr int sums_at = tables_at + page * Part::axes * static_cast<int>(sizeof(float));
    static constexpr int totals_at = sums_at + batch * 8;
    static constexpr int coordinates_at = totals_at + rows * Product::warp_columns * 8;
    static constexpr int near_at = coordinates_at + Part::axes * 8;
    static constexpr int masks_at = near_at + list * static_cast<int>(sizeof(NearGroup));
    static constexpr int list_at = masks_at + list * 4;
    static constexpr int offsets_at = list_at + list * 4;
    static constexpr int pair_rows_at = offsets_at + (list + 4) * 4;
    static constexpr int fills_at = pair_rows_at + page * 4;
    static constexpr int unscale_at = fills_at + page * 8;
    static constexpr int scratch_at = unscale_at + batch * 4;
    static constexpr int tile_first_at = scratch_at + 64;
    static constexpr int bytes = tile_first_at + 32;
    static_assert(near_at % 8 == 0 && tile_first_at % 8 == 0);
};

/// `Rounded` has the meaning of SplitProduct.
template <int Rows, int WarpRows, int WarpColumns, bool Rounded, int BlocksPerUnit,
          int PairsPerPage, class Part>
using PartCut = ProductCut<Part, SplitProduct<Rows, Part::points, WarpRows, WarpColumns, Rounded>,
                           Rows, BlocksPerUnit, PairsPerPage>;
/// The fastest cut for C60 (docs/method/benchmarks.md).
using ManyProductsCut = PartCut<96, 2, 4, true, 1, 72, PointTile<16, 8, 2, 1>>;

}  // namespace tessera::kernels
