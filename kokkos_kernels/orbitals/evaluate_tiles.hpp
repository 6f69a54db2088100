// The orbital kernel. A block of threads evaluates a tile, for one orbital after another.
#pragma once

#include "kokkos_kernels/orbitals/tile_products.hpp"

namespace tessera::kernels {

/// Values (or, with Density, sum_i weight_i psi_i^2) on all tiles of some boxes, and the sum over
/// each tile's points of psi^2 (of the density). Every value is a sum over the tile's surviving
/// groups in their order. Its bits depend neither on the requested grid block nor on the other
/// orbitals.
template <class Real, class Shape, class Cut, bool Density>
struct EvaluateTiles {
    using Number = Real;
    using Tile = Shape;
    using Sizes = Cut;
    static constexpr int threads = Cut::threads, blocks_per_unit = Cut::blocks_per_unit;
    static constexpr int shared_bytes =
        Cut::bytes + (Density ? Shape::points * static_cast<int>(sizeof(Real)) : 0);
    static constexpr bool may_not_fit = Cut::orbitals > 1;
    static constexpr bool begins_early = true, host = threads == 1, density = Density;
    /// Points of an axis, and rows of a column, that a thread makes at once, so that it rarely
    /// reads a group's numbers.
    static constexpr int table_width = host ? 16 : sizeof(Real) == 4 ? 8 : 1;
    static constexpr int row_width = host ? Shape::y : sizeof(Real) == 4 ? 8 : 4;
    static_assert(!Density || Cut::orbitals == 1);

    TileFrame frame;
    GroupBounds bounds;
    const DeviceGroup* groups;
    DegreeIndex degrees;
    const Real* coefficients;  ///< [row][stride]
    std::int64_t stride;
    int first_box, box_count;  ///< of this launch
    int group_count;
    const int *lists, *lengths;
    const float* threshold;
    const int* orbitals;    ///< [orbital_count] rows of the coefficients
    const double* weights;  ///< [orbital_count], for densities
    int orbital_count;
    int batch;         ///< orbitals per block
    Real* out;         ///< [orbital][z][y][x] of the grid block, or null
    double* partials;  ///< [orbital][tile]

    int blocks() const {
        return box_count * Shape::tiles_per_box * ((orbital_count + batch - 1) / batch);
    }
    KOKKOS_FUNCTION static int tiles(const TileFrame& frame) {
        return frame.box_count() * Shape::tiles_per_box;
    }

    template <class Block>
    KOKKOS_FUNCTION void operator()(const Block& block) const {
        [[maybe_unused]] const FlushDenormals on_hosts;
        const TileWork<EvaluateTiles, Block> work(*this, block);
        block.wait_for_earlier();
        if (work.empty()) return work.clear_partials();
        work.run();
    }
};

}  // namespace tessera::kernels
