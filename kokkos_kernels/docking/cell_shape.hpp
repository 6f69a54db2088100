// The cells of a score grid, of which only the minima are read at first.
#pragma once

#include <cstdint>

#include "kokkos_kernels/device/views.hpp"

namespace tessera::kernels {

/// A score grid is cut into cells. A cell is four consecutive rows of one x plane, which are
/// contiguous in memory. The minimum of every cell is found once. Choosing K poses then reads only
/// the cell minima and the few cells that the exclusion sphere of a chosen pose cuts.
struct CellShape {
    static constexpr int rows = 4;
    int n;

    KOKKOS_FUNCTION int groups() const { return (n + rows - 1) / rows; }
    KOKKOS_FUNCTION int cells() const { return n * groups(); }
    KOKKOS_FUNCTION int row_floats() const {
        return 2 * (n / 2 + 1);
    }  ///< in-place transform layout
    KOKKOS_FUNCTION int row_begin(int cell) const { return cell % groups() * rows; }
    KOKKOS_FUNCTION int row_count(int cell) const {
        const int left = n - row_begin(cell);
        return left < rows ? left : rows;
    }
    /// Offset of a cell's first row in a padded score grid.
    KOKKOS_FUNCTION std::int64_t offset(int cell) const {
        return (std::int64_t{cell / groups()} * n + row_begin(cell)) * row_floats();
    }
};

}  // namespace tessera::kernels
