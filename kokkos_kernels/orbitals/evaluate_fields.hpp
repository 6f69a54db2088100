// The kernel of derived fields. A block of threads makes all fields of a tile.
#pragma once

#include "kokkos_kernels/orbitals/field_work.hpp"

namespace tessera::kernels {

/// Fields on all tiles of some boxes, and the sums over each tile's points. Every value is a sum
/// over the orbitals in their order, and an orbital's over the tile's surviving groups in theirs.
template <class Cut>
struct EvaluateFields {
    using Tile = typename Cut::Shape;
    using Sizes = Cut;
    static constexpr int threads = Cut::threads, blocks_per_unit = Cut::blocks_per_unit;
    static constexpr int shared_bytes = Cut::bytes;
    static constexpr bool may_not_fit = true;
    static constexpr bool begins_early = true;

    TileFrame frame;
    GroupBounds bounds;
    const DeviceGroup* groups;
    DegreeIndex degrees;
    const double* coefficients;  ///< [row][stride]
    std::int64_t stride;
    int first_box, box_count;  ///< of this launch
    int group_count;
    const int *lists, *lengths;
    const float* threshold;
    int row_count;
    const double* weights;  ///< [row_count][2]: of alpha and of beta
    bool polarised;
    DerivedField fields[derived_fields];
    int field_count;
    double* out;       ///< [field][z][y][x] of the grid block, or null
    double* partials;  ///< [field][tile]

    int blocks() const { return box_count * Tile::tiles_per_box; }
    KOKKOS_FUNCTION static int tiles(const TileFrame& frame) {
        return frame.box_count() * Tile::tiles_per_box;
    }
    static const char* what() { return "a derived field"; }

    template <class Block>
    KOKKOS_FUNCTION void operator()(const Block& block) const {
        [[maybe_unused]] const FlushDenormals on_hosts;
        block.wait_for_earlier();
        FieldWork<EvaluateFields, Block>(*this, block).run();
    }
};

}  // namespace tessera::kernels
