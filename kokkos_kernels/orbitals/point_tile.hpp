// How the grid is cut into tiles, and which part of a tile a block of threads holds.
#pragma once

#include "kokkos_kernels/orbitals/host_vector.hpp"
#include "kokkos_kernels/orbitals/primitive_table.hpp"

namespace tessera::kernels {

/// Points of a tile along x (contiguous in memory), y and z. Tiles lie at multiples of these from
/// the grid's origin, whatever grid block is requested. box^3 tiles share a list of candidate
/// groups.
template <int X, int Y, int Z, int Box = 2>
struct PointTile {
    static constexpr int x = X, y = Y, z = Z, box = Box;
    static constexpr int points = X * Y * Z, axes = X + Y + Z;
    static constexpr int tiles_per_box = Box * Box * Box;
};

/// Sizes of a block's work. A tile's values are the product rows[point (y, z)][column] *
/// columns[column][x]. A column is one power of x of one group.
template <class Real, class Shape, int Threads, int BlocksPerUnit, int ColumnsPerPage,
          int ColumnsPerChunk, int SlabZ, int RowsPerItem, int XPerItem, int Orbitals,
          int Candidates = 512, bool Hold = false>
struct TileCut {
    static constexpr int threads = Threads, blocks_per_unit = BlocksPerUnit;
    static constexpr int page = ColumnsPerPage;    ///< columns with axis tables in memory
    static constexpr int chunk = ColumnsPerChunk;  ///< columns with rows in memory
    static constexpr int slab = SlabZ;             ///< planes of the tile done at once
    static constexpr int rows = Shape::y * SlabZ;
    static constexpr int item_rows = RowsPerItem, item_x = XPerItem;  ///< of the register product
    static constexpr int orbitals = Orbitals;                         ///< done at once
    static constexpr int list = Candidates;                           ///< screened at once
    static constexpr int items = rows / RowsPerItem * (Shape::x / XPerItem);
    /// Each thread has one register product. Its sums stay in registers from the first column to
    /// the last, and then replace the rows.
    static constexpr bool one_item = Threads > 1 && Orbitals == 1 && items == Threads;
    static constexpr bool held = Hold && one_item && (slab == Shape::z) && (chunk >= Shape::x);
    static_assert(rows % RowsPerItem == 0 && Shape::x % XPerItem == 0 && Shape::z % SlabZ == 0);

    // Shared memory, in bytes from its start.
    static constexpr int tables_at = 0;
    static constexpr int rows_at = tables_at + page * Shape::axes * static_cast<int>(sizeof(Real));
    static constexpr int rows_end =
        rows_at + orbitals * chunk * rows * static_cast<int>(sizeof(Real));
    static constexpr int values_at = held ? rows_at : rows_end;
    static constexpr int density_at =
        rows_end + (held ? 0 : orbitals * Shape::points * static_cast<int>(sizeof(Real)));
    static constexpr int list_at = density_at;
    static constexpr int small_at = list_at + list * static_cast<int>(sizeof(int));
    static constexpr int coordinates_at =
        small_at + 512;  ///< after degree ends, warps' counts, sums
    static constexpr int bytes = coordinates_at + Shape::axes * static_cast<int>(sizeof(double));
};

// Hosts use one thread per tile, and vectors of 64 bytes along x. As many rows are summed at once
// as stay in registers: all 16 of a plane in 32 registers of AVX-512, else eight of 16 registers.
#ifdef __AVX512F__
inline constexpr int host_rows = 16;
#else
inline constexpr int host_rows = 8 * register_bytes / 64;
#endif
using HostTile = PointTile<16, 16, 16>;
template <class Real>
using HostCut =
    TileCut<Real, HostTile, 1, 1, 256, 256, 1, host_rows, 64 / static_cast<int>(sizeof(Real)), 1>;

// Devices use small tiles for coarse grids and large tiles for fine ones, so that the physical size
// of a tile suits the screening.
using SmallTile = PointTile<16, 8, 8>;
using LargeTile = PointTile<32, 16, 8>;
template <class Real>
inline constexpr int device_chunk = sizeof(Real) == 4 ? 32 : 16;
template <class Real>
inline constexpr int device_blocks = sizeof(Real) == 4 ? 10 : 7;

/// For one orbital, and for densities. Large tiles keep their sums in registers.
template <class Real>
using SmallCut = TileCut<Real, SmallTile, 64, device_blocks<Real>, device_chunk<Real>,
                         device_chunk<Real>, 8, 4, 4, 1>;
template <class Real>
using LargeCut = TileCut<Real, LargeTile, 128, sizeof(Real) == 4 ? 4 : 3, 2 * device_chunk<Real>,
                         2 * device_chunk<Real>, 8, 8, 4, 1, 512, true>;
/// For many orbitals. The axis tables of the whole tile are kept, and several orbitals are done at
/// once.
template <class Real>
using SmallManyCut = TileCut<Real, SmallTile, 256, sizeof(Real) == 4 ? 3 : 2,
                             sizeof(Real) == 4 ? 256 : 128, device_chunk<Real> / 2, 8, 4, 4, 4>;
template <class Real>
using LargeManyCut = TileCut<Real, LargeTile, 256, sizeof(Real) == 4 ? 2 : 1,
                             sizeof(Real) == 4 ? 192 : 96, device_chunk<Real> / 2, 8, 8, 4, 2>;

/// Large tiles pay up to this volume (bohr^3), measured with C60 at 0.075 Angstrom.
inline constexpr double tile_volume_limit = 30.0;

/// Where the tiles of a problem lie, and which of them a block of the grid touches.
struct TileFrame {
    double origin[3], spacing[3];   ///< bohr
    std::int64_t begin[3], end[3];  ///< requested grid points
    int first_box[3], boxes[3];     ///< boxes that hold these points

    TileFrame() = default;
    TileFrame(const UniformGrid& grid, const PointBlock& block, const int (&box_points)[3])
        : origin{grid.origin.x, grid.origin.y, grid.origin.z},
          spacing{grid.spacing.x, grid.spacing.y, grid.spacing.z} {
        for (int a = 0; a < 3; ++a) {
            begin[a] = block.begin[a];
            end[a] = block.begin[a] + block.shape[a];
            first_box[a] = static_cast<int>(begin[a] / box_points[a]);
            boxes[a] = static_cast<int>((end[a] - 1) / box_points[a]) + 1 - first_box[a];
        }
    }

    KOKKOS_FUNCTION int box_count() const { return boxes[0] * boxes[1] * boxes[2]; }

    /// First grid point of box `index` (x fastest).
    template <class Shape>
    KOKKOS_FUNCTION void box_point(int index, std::int64_t (&point)[3]) const {
        const int ix = index % boxes[0], iy = index / boxes[0] % boxes[1],
                  iz = index / (boxes[0] * boxes[1]);
        point[0] = std::int64_t{first_box[0] + ix} * (Shape::box * Shape::x);
        point[1] = std::int64_t{first_box[1] + iy} * (Shape::box * Shape::y);
        point[2] = std::int64_t{first_box[2] + iz} * (Shape::box * Shape::z);
    }

    /// The boxes layer by layer, from the middle of z to its ends. Molecules lie in the middle, and
    /// the longest work should not begin last.
    KOKKOS_FUNCTION int middle_first(int index) const {
        const int layer = index / (boxes[0] * boxes[1]), step = (layer + 1) / 2;
        const int z = boxes[2] / 2 + (layer % 2 == 0 ? step : -step);
        return index + (z - layer) * boxes[0] * boxes[1];
    }

    KOKKOS_FUNCTION double coordinate(int axis, std::int64_t index) const {
        return origin[axis] + spacing[axis] * static_cast<double>(index);
    }
};

/// The region of space that points [first, first + size) of every axis span.
struct PointRegion {
    double low[3], high[3];

    KOKKOS_FUNCTION PointRegion(const TileFrame& frame, const std::int64_t (&first)[3], int nx,
                                int ny, int nz) {
        const int size[3] = {nx, ny, nz};
        for (int a = 0; a < 3; ++a) {
            low[a] = frame.coordinate(a, first[a]);
            high[a] = frame.coordinate(a, first[a] + size[a] - 1);
        }
    }

    KOKKOS_INLINE_FUNCTION double outside(int axis, double at) const {
        const double below = low[axis] - at, above = at - high[axis];
        const double out = below > above ? below : above;
        return out > 0 ? out : 0.0;
    }
    KOKKOS_INLINE_FUNCTION double distance_squared(double x, double y, double z) const {
        const double dx = outside(0, x), dy = outside(1, y), dz = outside(2, z);
        return dx * dx + dy * dy + dz * dz;
    }
    /// Bound of a group on the region.
    KOKKOS_INLINE_FUNCTION float bound(const GroupBounds& groups, int g) const {
        return groups.beyond(g, distance_squared(groups.center[g], groups.center[groups.pitch + g],
                                                 groups.center[2 * groups.pitch + g]));
    }
};

}  // namespace tessera::kernels
