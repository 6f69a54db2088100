// The inner loop: values[row][x] += sum over columns of rows[column][row] * columns[column][x].
#pragma once

#include "kokkos_kernels/device/block_tools.hpp"
#include "kokkos_kernels/orbitals/host_vector.hpp"

namespace tessera::kernels {

/// On a host: Rows accumulators of 64 bytes each.
template <int Rows, int RowPitch, int XPitch, class Real>
inline void host_row_product(const Real* rows, const Real* columns, int count, Real* values) {
    using Vector = HostVector<Real>;
    Vector sums[Rows];
    TESSERA_UNROLL_ALL
    for (int r = 0; r < Rows; ++r) sums[r] = Vector::load(values + r * XPitch);
    for (int c = 0; c < count; ++c) {
        const Vector x = Vector::load(columns + c * XPitch);
        TESSERA_UNROLL_ALL
        for (int r = 0; r < Rows; ++r) sums[r] += rows[c * RowPitch + r] * x;
    }
    TESSERA_UNROLL_ALL
    for (int r = 0; r < Rows; ++r) sums[r].store(values + r * XPitch);
}

/// On a device: Rows x 4 sums in registers.
template <int Rows, int RowPitch, int XPitch, class Real>
KOKKOS_FORCEINLINE_FUNCTION void device_row_product(const Real* rows, const Real* columns,
                                                    int count, Pack<Real, 4> (&sums)[Rows]) {
    using Four = Pack<Real, 4>;
    static_assert(Rows % 4 == 0 && RowPitch % 4 == 0 && XPitch % 4 == 0);
#ifdef __CUDA_ARCH__
#pragma unroll 4
#endif
    for (int c = 0; c < count; ++c) {
        const Four x = Four::at(columns + c * XPitch);
        TESSERA_UNROLL_ALL
        for (int quad = 0; quad < Rows / 4; ++quad) {
            const Four row = Four::at(rows + c * RowPitch + 4 * quad);
            TESSERA_UNROLL_ALL
            for (int r = 0; r < 4; ++r) {
                TESSERA_UNROLL_ALL
                for (int i = 0; i < 4; ++i) sums[4 * quad + r].v[i] += row.v[r] * x.v[i];
            }
        }
    }
}

}  // namespace tessera::kernels
