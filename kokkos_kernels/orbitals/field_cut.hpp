// Sizes of a block's work for derived fields, and the products that it adds up.
#pragma once

#include <array>

#include "kokkos_kernels/orbitals/derived_field.hpp"
#include "kokkos_kernels/orbitals/point_tile.hpp"

namespace tessera::kernels {

/// An output is psi or a derivative on the points of a part of a tile: psi, d/dx, d/dy, d/dz, and
/// then the Laplacian or xx, xy, xz, yy, yz, zz. It is the sum of products rows[kind] * x[order].
/// Kinds are derivatives of the rows along y and z, and orders are derivatives of the columns along
/// x.
template <FieldDerivatives D>
struct FieldProducts {
    static constexpr bool hessian = D == FieldDerivatives::hessian,
                          laplacian = D == FieldDerivatives::laplacian;
    static constexpr int orders = D == FieldDerivatives::first ? 2 : 3;
    /// none, y, z, and then yy + zz or yy, yz, zz
    static constexpr int kinds = hessian ? 6 : laplacian ? 4 : 3;
    static constexpr int products = hessian ? 10 : laplacian ? 6 : 4;
    static constexpr int outputs = hessian ? 10 : laplacian ? 5 : 4;

    KOKKOS_INLINE_FUNCTION static constexpr int kind(int product) {
        constexpr int of[] = {0, 0, 1, 2, 0, 1, 2, 3, 4, 5};
        return laplacian && product == 5 ? 3 : of[product];
    }
    KOKKOS_INLINE_FUNCTION static constexpr int order(int product) {
        constexpr int of[] = {0, 1, 0, 0, 2, 1, 1, 0, 0, 0};
        return laplacian && product == 5 ? 0 : of[product];
    }
    KOKKOS_INLINE_FUNCTION static constexpr int output(int product) {
        return laplacian && product == 5 ? 4 : product;
    }
};

/// The sums over orbitals that fields are made of, with weights w. The density of beta electrons
/// has its own place. In closed shells it stays 0, and alpha stands for all electrons.
template <FieldDerivatives D>
struct FieldSumsAt {
    static constexpr int alpha = 0;    ///< w psi^2, and w psi times the derivatives by x, y, z
    static constexpr int beta = 4;     ///< likewise
    static constexpr int squares = 8;  ///< w |grad psi|^2
    /// w psi * Laplacian, or w (psi_a psi_b + psi psi_ab) with ab = xx, xy, xz, yy, yz, zz
    static constexpr int second = 9;
    static constexpr int count = second + (D == FieldDerivatives::hessian     ? 6
                                           : D == FieldDerivatives::laplacian ? 1
                                                                              : 0);
};

/// Sizes of a block's work. A part of a tile has PartY x PartZ rows of points along x. On a device
/// (Threads > 1) the values of an orbital and the sums stay in registers, and the sums take the
/// place of the tables when all orbitals are done.
template <class TileShape, FieldDerivatives D, int Threads, int ColumnsPerPage, int ColumnsPerChunk,
          int PartY, int PartZ, int RowsPerItem, int XPerItem, int Candidates>
struct FieldCut {
    using Shape = TileShape;
    using Products = FieldProducts<D>;
    using SumsAt = FieldSumsAt<D>;
    static constexpr FieldDerivatives derivatives = D;
    static constexpr int threads = Threads;
    static constexpr int page = ColumnsPerPage;    ///< columns with axis tables in memory
    static constexpr int chunk = ColumnsPerChunk;  ///< columns with rows in memory
    static constexpr int part_y = PartY, part_z = PartZ;
    static constexpr int rows = PartY * PartZ, points = rows * Shape::x;  ///< of a part
    static constexpr int parts_y = Shape::y / PartY, parts = parts_y * (Shape::z / PartZ);
    static constexpr int item_rows = RowsPerItem, item_x = XPerItem;  ///< of the register product
    static constexpr int items = rows / RowsPerItem * (Shape::x / XPerItem);
    static constexpr int list = Candidates;  ///< screened at once
    static_assert(rows % RowsPerItem == 0 && Shape::x % XPerItem == 0);
    static_assert(Shape::y % PartY == 0 && Shape::z % PartZ == 0);
    static constexpr bool in_memory = Threads == 1;
    static constexpr int orbitals = in_memory ? 1 : 2;  ///< done at once
    /// Numbers from one column's rows to the next, and from its points along x to the next. On a
    /// device four columns are read at once, each from banks of its own.
    static constexpr int apart = in_memory ? 0 : 4;
    static constexpr int column_pitch = orbitals * Products::kinds * rows + apart;
    static constexpr int x_pitch = Products::orders * Shape::x + apart;

    // Shared memory, in bytes from its start.
    static constexpr int number = static_cast<int>(sizeof(double));
    static constexpr int rows_at =
        page * (x_pitch + Products::orders * (Shape::y + Shape::z)) * number;
    static constexpr int values_at = rows_at + chunk * column_pitch * number;
    static constexpr int sums_bytes = SumsAt::count * points * number;
    static constexpr int sums_at = in_memory ? values_at + Products::outputs * points * number : 0;
    static constexpr int list_at = in_memory ? sums_at + sums_bytes : values_at;
    static_assert(in_memory || sums_bytes <= list_at);
    static constexpr int part_list_at = list_at + list * static_cast<int>(sizeof(int));
    static constexpr int part_columns_at = part_list_at + list * static_cast<int>(sizeof(int));
    static constexpr int chunk_columns_at = part_columns_at + list * static_cast<int>(sizeof(int));
    static constexpr int small_at = chunk_columns_at + chunk * static_cast<int>(sizeof(int));
    static constexpr int coordinates_at = small_at + 512;  ///< after degree ends, warps' counts
    static constexpr int bytes = coordinates_at + Shape::axes * number;
    /// Blocks that share the memory of a multiprocessor.
    static constexpr int blocks_per_unit = in_memory ? 1 : 227 * 1024 / (bytes + 1024);
    static_assert(blocks_per_unit > 0);
};

// Hosts do a tile in parts, whose sums stay in the cache, and which few groups reach. Devices do a
// whole tile, with two points a thread. Second derivatives take so many registers that one block
// has a multiprocessor for itself.
#ifdef __AVX512F__
inline constexpr int host_field_sums = 20;  ///< vectors of 64 bytes that stay in registers
#else
inline constexpr int host_field_sums = 5;
#endif
template <FieldDerivatives D>
inline constexpr int host_field_rows = host_field_sums / FieldProducts<D>::outputs >= 4   ? 4
                                       : host_field_sums / FieldProducts<D>::outputs >= 2 ? 2
                                                                                          : 1;
template <FieldDerivatives D>
using HostFieldCut = FieldCut<HostTile, D, 1, 1024, 32, 8, 2, host_field_rows<D>, 8, 1024>;

using FieldTile = PointTile<16, 8, 4>;
template <FieldDerivatives D, int ColumnsPerPage>
using DeviceFieldCut = FieldCut<FieldTile, D, 256, ColumnsPerPage, 16, 8, 4, 1, 4, 1024>;

/// Columns per page on GPUs with 227, 163 and 99 KiB of shared memory.
template <FieldDerivatives D>
inline constexpr std::array<int, 3> device_field_pages =
    D == FieldDerivatives::hessian     ? std::array{224, 128, 48}
    : D == FieldDerivatives::laplacian ? std::array{96, 96, 72}
                                       : std::array{96, 96, 96};

}  // namespace tessera::kernels
