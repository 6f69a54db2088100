// Many orbitals at once. The functions that survive on a few points are evaluated once. Tensor
// cores multiply them by the coefficients of all orbitals.
#pragma once

#include "kokkos_kernels/orbitals/product_work.hpp"

namespace tessera::kernels {

/// Values on all tiles of some boxes and the sums of their squares, as EvaluateTiles gives them. A
/// value is a sum, in order, over the surviving functions of its part of the tile. Its bits do not
/// depend on the grid block, the batch, or its place in them.
template <class Shape, class Cut, int Threads = Cut::threads>
struct EvaluateProducts {
    using Tile = Shape;
    using Sizes = Cut;
    using Part = typename Cut::Part;
    static constexpr int threads = Threads, blocks_per_unit = Cut::blocks_per_unit;
    static constexpr int shared_bytes = Cut::bytes;
    static constexpr bool may_not_fit = true;
    static constexpr int parts = Shape::points / Part::points;
    static_assert(Shape::x % Part::x == 0 && Shape::y % Part::y == 0 && Shape::z % Part::z == 0);
    static_assert(parts <= 32, "a candidate's parts are bits");

    TileFrame frame;
    GroupBounds bounds;
    const DeviceGroup* groups;
    const GroupFunctions* functions;
    const std::uint32_t*
        coefficients;  ///< as PackPairs writes them, with a pair of zeros at the end
    int pitch, zero_pair;
    int first_box, box_count;  ///< of this launch
    int group_count;
    const int *lists, *lengths;
    const float* threshold;
    const float* row_scale;
    const int* orbitals;  ///< [orbital_count] rows of row_scale
    int orbital_count;
    PaddedRows rows;
    float* out;        ///< [orbital][z][y][pitch] of the grid block, or null
    double* partials;  ///< [orbital][tile]

    static bool can(const PointBlock& block) {
        return PartOutput<Cut, PartPlace<Shape, Part>>::can(block);
    }
    int blocks() const {
        return box_count * Shape::tiles_per_box * ((orbital_count + Cut::batch - 1) / Cut::batch);
    }
    KOKKOS_FUNCTION static int tiles(const TileFrame& frame) {
        return frame.box_count() * Shape::tiles_per_box;
    }

    template <class Block>
    KOKKOS_FUNCTION void operator()(const Block& block) const {
        [[maybe_unused]] const FlushDenormals on_hosts;
        ProductWork<EvaluateProducts, Block>(*this, block).run();
    }
};

}  // namespace tessera::kernels
