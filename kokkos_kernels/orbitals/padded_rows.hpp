// Rows of grids in a device's memory.
#pragma once

#include "kokkos_kernels/orbitals/orbital_problem.hpp"

namespace tessera::kernels {

/// Rows of a grid block that begin and end on whole sectors of memory (32 bytes). The device would
/// have to read a sector first if it were written in two halves. The layout is
/// [orbital][z][y][pitch].
struct PaddedRows {
    static constexpr int sector = 8;  ///< numbers

    std::int64_t begin;  ///< grid point along x of a row's first number
    std::int64_t pitch;  ///< numbers from one row to the next

    explicit PaddedRows(const PointBlock& block)
        : begin(block.begin[0] / sector * sector),
          pitch((block.begin[0] + block.shape[0] - begin + sector - 1) / sector * sector) {}

    /// Numbers per orbital.
    std::int64_t size(const PointBlock& block) const {
        return pitch * block.shape[1] * block.shape[2];
    }
};

}  // namespace tessera::kernels
