// A matrix product in nearly single precision on tensor cores. Each number is split into two of
// half precision, x = high + low, and three of the four products are kept,
//     a b = high_a high_b + high_a low_b + low_a high_b,
// with sums in single precision. The omitted product is at most 2^-22 of a b. The caller scales its
// numbers so that the largest are near 2^13. Numbers below 2^-10 of the largest keep fewer digits,
// in steps of 2^-38 of the largest. Hosts use single precision and plain sums.
#pragma once

#include "kokkos_kernels/device/block_tools.hpp"

#if defined(__CUDACC__)
#include <cuda_fp16.h>
#endif

namespace tessera::kernels {

/// Two neighbours of the summed index.
struct SplitPair {
    std::uint32_t high, low;  ///< half2 each; on hosts one float each
};

KOKKOS_INLINE_FUNCTION SplitPair split_pair(float a, float b) {
#ifdef __CUDA_ARCH__
    const __half2 high = __floats2half2_rn(a, b);
    const float2 back = __half22float2(high);
    const __half2 low = __floats2half2_rn(a - back.x, b - back.y);
    SplitPair pair;
    memcpy(&pair.high, &high, 4);
    memcpy(&pair.low, &low, 4);
    return pair;
#else
    return {std::bit_cast<std::uint32_t>(a), std::bit_cast<std::uint32_t>(b)};
#endif
}

/// Starts a copy of 16 bytes from device to shared memory, which continues beside the caller.
KOKKOS_INLINE_FUNCTION void start_copy(std::uint32_t* to, const std::uint32_t* from) {
#ifdef __CUDA_ARCH__
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                     static_cast<unsigned>(__cvta_generic_to_shared(to))),
                 "l"(from)
                 : "memory");
#else
    std::memcpy(to, from, 16);
#endif
}
/// Ends a group of this thread's copies.
KOKKOS_INLINE_FUNCTION void end_copies() {
#ifdef __CUDA_ARCH__
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
/// Waits for all groups of this thread but the last `Behind`.
template <int Behind>
KOKKOS_INLINE_FUNCTION void wait_for_copies() {
#ifdef __CUDA_ARCH__
    asm volatile("cp.async.wait_group %0;" ::"n"(Behind) : "memory");
#endif
}

inline constexpr int step_pairs = 8;  ///< pairs of the summed index that one step takes

/// sums[row][column] over pairs of rows[pair][row] * columns[pair][column]. The threads of a block
/// hold the sums, with WarpRows x WarpColumns warps side by side. With Rounded, each step is summed
/// by itself and then added with rounding. Otherwise the tensor cores add, and they truncate.
///
/// The operands are laid out so that a thread reads neighbouring registers of an instruction at
/// once, and lanes of a half warp meet different banks:
///     rows:    [high, low][pair of the step][row_pitch], rows in the order of row_place();
///     columns: [pair / 2][column_pitch][pair % 2], high and low apart.
template <int Rows, int Columns, int WarpRows, int WarpColumns, bool Rounded>
struct SplitProduct {
    using Four = Pack<float, 4>;
    static constexpr int threads = WarpRows * WarpColumns * warp_lanes;
    static constexpr int row_pitch = Rows + 4, column_pitch = Columns + 4;
    static constexpr int step_words =
        2 * step_pairs * row_pitch;  ///< words of the rows of one step
    static constexpr int warp_columns = WarpColumns, warp_width = Columns / WarpColumns;
    static constexpr int high_tiles = Rows / WarpRows / 16, wide_tiles = Columns / WarpColumns / 8;
    static_assert(Rows % (16 * WarpRows) == 0 && Columns % (16 * WarpColumns) == 0);

    /// The place of a row. Rows r and r + 8 are neighbours.
    KOKKOS_INLINE_FUNCTION static int row_place(int row) {
        return row / 16 * 16 + row % 8 * 2 + row / 8 % 2;
    }
    KOKKOS_INLINE_FUNCTION static int row_at(int place) {
        return place / 16 * 16 + place % 2 * 8 + place % 16 / 2;
    }
    /// The order of columns. A thread has four neighbours out of 16, two from each of two
    /// instructions.
    KOKKOS_INLINE_FUNCTION static int column_order(int column) {
        return column / 16 * 16 + column / 2 % 2 * 8 + column % 16 / 4 * 2 + column % 2;
    }
    /// The place of a column in that order.
    KOKKOS_INLINE_FUNCTION static int column_place(int pair, int column) {
        return (pair / 2 * column_pitch + column) * 2 + pair % 2;
    }

#if defined(__CUDA_ARCH__)
    float sums[high_tiles][wide_tiles][4];

    __device__ __forceinline__ static int lane() { return static_cast<int>(threadIdx.x) % 32; }
    __device__ __forceinline__ static int warp() { return static_cast<int>(threadIdx.x) / 32; }
    /// The thread's index in its block, read anew. Keeping values made from it would take registers
    /// from the products.
    __device__ __forceinline__ static int thread_anew() {
        int thread;
        asm volatile("mov.u32 %0, %%tid.x;" : "=r"(thread));
        return thread;
    }

    __device__ __forceinline__ void clear() {
#pragma unroll
        for (int i = 0; i < high_tiles; ++i)
#pragma unroll
            for (int j = 0; j < wide_tiles; ++j)
#pragma unroll
                for (int k = 0; k < 4; ++k) sums[i][j][k] = 0;
    }

    /// multiply() computes d += a b, and begin_multiply() d = a b.
    __device__ __forceinline__ static void multiply(float (&d)[4], const unsigned (&a)[4],
                                                    const unsigned (&b)[2]) {
        asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
            "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    }
    __device__ __forceinline__ static void begin_multiply(float (&d)[4], const unsigned (&a)[4],
                                                          const unsigned (&b)[2]) {
        asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
            "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%10,%10,%10};"
            : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(0.0F));
    }

    /// Two words at an offset in words.
    __device__ __forceinline__ static void load(unsigned& a, unsigned& b, unsigned shared,
                                                int offset) {
        asm volatile("ld.shared.v2.b32 {%0, %1}, [%2];"
                     : "=r"(a), "=r"(b)
                     : "r"(shared + 4U * static_cast<unsigned>(offset)));
    }
    template <class T>
    __device__ __forceinline__ static unsigned address(const T* shared) {
        return static_cast<unsigned>(__cvta_generic_to_shared(shared));
    }

    /// Adds step_pairs pairs.
    __device__ __forceinline__ void add(const std::uint32_t* rows, const std::uint32_t* column_high,
                                        const std::uint32_t* column_low) {
        unsigned row_high[high_tiles][4], row_low[high_tiles][4];
        const int t = lane() % 4, g = lane() / 4;
        const unsigned row =
            address(rows + 2 * t * row_pitch + warp() / WarpColumns * (16 * high_tiles) + 2 * g);
        constexpr int low_at = step_pairs * row_pitch;
#pragma unroll
        for (int i = 0; i < high_tiles; ++i) {
            load(row_high[i][0], row_high[i][1], row, 16 * i);
            load(row_high[i][2], row_high[i][3], row, 16 * i + row_pitch);
            load(row_low[i][0], row_low[i][1], row, 16 * i + low_at);
            load(row_low[i][2], row_low[i][3], row, 16 * i + low_at + row_pitch);
        }
        const int column = (t * column_pitch + warp() % WarpColumns * (8 * wide_tiles) + g) * 2;
        const unsigned at_high = address(column_high + column),
                       at_low = address(column_low + column);
#pragma unroll
        for (int j = 0; j < wide_tiles; ++j) {
            unsigned high[2], low[2];
            load(high[0], high[1], at_high, 16 * j);
            load(low[0], low[1], at_low, 16 * j);
            if constexpr (Rounded) {
                float part[high_tiles][4];
#pragma unroll
                for (int i = 0; i < high_tiles; ++i) begin_multiply(part[i], row_low[i], high);
#pragma unroll
                for (int i = 0; i < high_tiles; ++i) multiply(part[i], row_high[i], low);
#pragma unroll
                for (int i = 0; i < high_tiles; ++i) multiply(part[i], row_high[i], high);
#pragma unroll
                for (int i = 0; i < high_tiles; ++i)
#pragma unroll
                    for (int k = 0; k < 4; ++k) sums[i][j][k] += part[i][k];
            } else {
#pragma unroll
                for (int i = 0; i < high_tiles; ++i) multiply(sums[i][j], row_low[i], high);
#pragma unroll
                for (int i = 0; i < high_tiles; ++i) multiply(sums[i][j], row_high[i], low);
#pragma unroll
                for (int i = 0; i < high_tiles; ++i) multiply(sums[i][j], row_high[i], high);
            }
        }
    }

    /// For every row r of the thread (they are 8 apart) and every four neighbouring columns, calls
    /// use(begin(r), place(c), values) -> double, where c is the first of the columns. Leaves in
    /// totals[r * WarpColumns + warp column] the sum of the results over the columns of the warp.
    template <class Begin, class Place, class Use>
    __device__ __forceinline__ void finish(double* totals, const Begin& begin, const Place& place,
                                           const Use& use) const {
        const int thread = thread_anew(), own = thread % 32, warp = thread / 32;
        const int first_row = warp / WarpColumns * (16 * high_tiles);
        const int first_column = warp % WarpColumns * warp_width + 4 * (own % 4);
        decltype(place(0)) at[wide_tiles / 2];
#pragma unroll
        for (int j = 0; j < wide_tiles / 2; ++j) at[j] = place(first_column + 16 * j);
#pragma unroll
        for (int r = 0; r < 2 * high_tiles; ++r) {
            const int row = first_row + own / 4 + 8 * r, of_pair = r % 2 * 2;
            const auto of_row = begin(row);
            double total = 0;
#pragma unroll
            for (int j = 0; j < wide_tiles / 2; ++j) {
                const float(&low)[4] = sums[r / 2][2 * j];
                const float(&high)[4] = sums[r / 2][2 * j + 1];
                total +=
                    use(of_row, at[j],
                        Four{low[of_pair], low[of_pair + 1], high[of_pair], high[of_pair + 1]});
            }
            total += __shfl_xor_sync(0xffffffffU, total, 1);
            total += __shfl_xor_sync(0xffffffffU, total, 2);
            if (own % 4 == 0) totals[row * WarpColumns + warp % WarpColumns] = total;
        }
    }
#else
    KOKKOS_FUNCTION static int thread_anew() { return 0; }

    alignas(Four) float sums[Rows][Columns];

    KOKKOS_FUNCTION void clear() {
        for (auto& row : sums)
            for (float& sum : row) sum = 0;
    }

    KOKKOS_FUNCTION void add(const std::uint32_t* rows, const std::uint32_t* column_high,
                             const std::uint32_t* column_low) {
        for (int pair = 0; pair < step_pairs; ++pair)
            for (int r = 0; r < Rows; ++r) {
                const std::uint32_t* row = rows + pair * row_pitch + row_place(r);
                const auto first = std::bit_cast<float>(row[0]),
                           second = std::bit_cast<float>(row[step_pairs * row_pitch]);
                for (int c = 0; c < Columns; ++c) {
                    const int at = column_place(pair, column_order(c));
                    sums[r][c] += first * std::bit_cast<float>(column_high[at]) +
                                  second * std::bit_cast<float>(column_low[at]);
                }
            }
    }

    template <class Begin, class Place, class Use>
    KOKKOS_FUNCTION void finish(double* totals, const Begin& begin, const Place& place,
                                const Use& use) const {
        for (int r = 0; r < Rows; ++r)
            for (int w = 0; w < WarpColumns; ++w) {
                double total = 0;
                constexpr int width = Columns / WarpColumns;
                for (int c = w * width; c < (w + 1) * width; c += 4)
                    total += use(begin(r), place(c), Four::at(&sums[r][c]));
                totals[r * WarpColumns + w] = total;
            }
    }
#endif
};

}  // namespace tessera::kernels
