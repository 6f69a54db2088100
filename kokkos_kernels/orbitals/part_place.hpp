// The parts of a tile that products take one after another.
#pragma once

#include "kokkos_kernels/device/block_tools.hpp"
#include "kokkos_kernels/orbitals/point_tile.hpp"

namespace tessera::kernels {

/// Where part `part` of a tile lies. It is recomputed at each use, because the products need the
/// registers.
template <class Shape, class Part>
struct PartPlace {
    static constexpr int parts_x = Shape::x / Part::x, parts_y = Shape::y / Part::y;

    std::int64_t first[3];  ///< grid point
    int low[3], high[3];    ///< requested points of the part

    /// `tile_first` is the grid point [3] of the tile's first point.
    KOKKOS_FORCEINLINE_FUNCTION PartPlace(const TileFrame& frame, const std::int64_t* tile_first,
                                          int part) {
        const int place[3] = {part % parts_x * Part::x, part / parts_x % parts_y * Part::y,
                              part / (parts_x * parts_y) * Part::z};
        const int size[3] = {Part::x, Part::y, Part::z};
        TESSERA_UNROLL_ALL
        for (int a = 0; a < 3; ++a) {
            first[a] = tile_first[a] + place[a];
            const std::int64_t from = frame.begin[a] - first[a], to = frame.end[a] - first[a];
            low[a] = static_cast<int>(from > 0 ? (from < size[a] ? from : size[a]) : 0);
            high[a] = static_cast<int>(to < size[a] ? (to > 0 ? to : 0) : size[a]);
        }
    }
    KOKKOS_FORCEINLINE_FUNCTION bool any() const {
        return low[0] < high[0] && low[1] < high[1] && low[2] < high[2];
    }
    KOKKOS_FORCEINLINE_FUNCTION bool has_row(int y, int z) const {
        return y >= low[1] && y < high[1] && z >= low[2] && z < high[2];
    }
};

}  // namespace tessera::kernels
