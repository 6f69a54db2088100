// The inner loop: values[row][x] += sum over columns of rows[column][row] * columns[column][x].
#pragma once

#include "kokkos_kernels/device/block_tools.hpp"

namespace tessera::kernels {

template <class Real>
struct HostVector;
#if defined(__GNUC__)
template <>
struct HostVector<float> {
    typedef float type __attribute__((vector_size(64)));
};
template <>
struct HostVector<double> {
    typedef double type __attribute__((vector_size(64)));
};
#endif

/// On a host: Rows accumulators of one 64-byte vector each.
template <int Rows, int RowPitch, int XPitch, class Real>
inline void host_row_product(const Real* rows, const Real* columns, int count, Real* values) {
    using Vector = typename HostVector<Real>::type;
    Vector sums[Rows];
    TESSERA_UNROLL_ALL
    for (int r = 0; r < Rows; ++r) std::memcpy(&sums[r], values + r * XPitch, sizeof(Vector));
    for (int c = 0; c < count; ++c) {
        Vector x;
        std::memcpy(&x, columns + c * XPitch, sizeof x);
        TESSERA_UNROLL_ALL
        for (int r = 0; r < Rows; ++r) sums[r] += rows[c * RowPitch + r] * x;
    }
    TESSERA_UNROLL_ALL
    for (int r = 0; r < Rows; ++r) std::memcpy(values + r * XPitch, &sums[r], sizeof(Vector));
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
