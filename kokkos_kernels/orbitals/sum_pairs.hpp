// Sums over points of the products of every two orbitals, which are overlaps on a grid.
#pragma once

#include "kokkos_kernels/orbitals/host_vector.hpp"

namespace tessera::kernels {

/// partials[(i * columns + j) * runs() + run] = sum of left[i][p] * right[j][p] over the run's
/// points, in a fixed order. `square` says that right is left. Then only pairs i <= j (and a few
/// others) are summed.
template <class Value, int Threads>
struct SumPairs {
    static constexpr int threads = Threads, blocks_per_unit = 2, shared_bytes = 0;
    static constexpr int run_points =
        4096;                        ///< a plain sum in double stays accurate for as many numbers
    static constexpr int side = 4;   ///< orbitals on each side whose sums stay in registers
    static constexpr int tile = 32;  ///< orbitals on each side of a block: they share caches
    static constexpr int lanes = Threads == 1 ? 8 : warp_lanes;

    const Value *left, *right;  ///< [orbital][points]
    int rows, columns;          ///< orbitals
    std::int64_t points;
    bool square;
    double* partials;

    KOKKOS_FUNCTION int runs() const {
        return static_cast<int>((points + run_points - 1) / run_points);
    }
    KOKKOS_FUNCTION static int tiles_of(int orbitals) { return (orbitals + tile - 1) / tile; }
    int blocks() const { return runs() * tiles_of(rows) * tiles_of(columns); }

    template <class Block>
    KOKKOS_FUNCTION void operator()(const Block& block) const {
        [[maybe_unused]] const FlushDenormals on_hosts;
        constexpr int threads_a_product = Block::size == 1 ? 1 : warp_lanes, a_side = tile / side;
        const int across = tiles_of(columns), tiles = across * tiles_of(rows);
        const int run = block.index / tiles, of_tile = block.index % tiles;
        for (int product = block.rank() / threads_a_product; product < a_side * a_side;
             product += block.size / threads_a_product) {
            const int i = of_tile / across * tile + product / a_side * side;
            const int j = of_tile % across * tile + product % a_side * side;
            if (i >= rows || j >= columns || (square && j < i)) continue;
            sum(block, i, j, run);
        }
    }

  private:
    /// Sums products of orbitals i .. and j ... The last orbital stands in for those beyond the
    /// end.
    template <class Block>
    KOKKOS_FUNCTION void sum(const Block& block, int i, int j, int run) const {
        const std::int64_t first = std::int64_t{run} * run_points, left_over = points - first;
        const int count = static_cast<int>(left_over < run_points ? left_over : run_points);
        const Value *a[side], *b[side];
        TESSERA_UNROLL_ALL
        for (int s = 0; s < side; ++s) {
            a[s] = left + (i + s < rows ? i + s : rows - 1) * points + first;
            b[s] = right + (j + s < columns ? j + s : columns - 1) * points + first;
        }
        double sums[side * side];
        const bool writes = sum_products(block, a, b, count, sums);
        for (int s = 0; writes && s < side * side; ++s)
            if (i + s / side < rows && j + s % side < columns)
                partials[(std::int64_t{i + s / side} * columns + j + s % side) * runs() + run] =
                    sums[s];
    }

    /// Returns whether this thread holds the sums.
    KOKKOS_FUNCTION static bool sum_products([[maybe_unused]] const HostBlock& block,
                                             const Value* const (&a)[side],
                                             const Value* const (&b)[side], int count,
                                             double (&sums)[side * side]) {
#ifndef __CUDA_ARCH__
        using Vector = HostVector<double>;
        Vector lane_sums[side * side] = {};
        const auto add = [&](int at, int some) {
            Vector x[side], y[side];
            for (int s = 0; s < side; ++s) {
                x[s] = widened(a[s] + at, some);
                y[s] = widened(b[s] + at, some);
            }
            TESSERA_UNROLL_ALL
            for (int s = 0; s < side * side; ++s) lane_sums[s] += x[s / side] * y[s % side];
        };
        int at = 0;
        for (; at + lanes <= count; at += lanes) add(at, lanes);
        if (at < count) add(at, count - at);
        for (int s = 0; s < side * side; ++s) {
            double each[lanes];
            lane_sums[s].store(each);
            sums[s] = 0;
            for (const double sum : each) sums[s] += sum;
        }
#endif
        return true;
    }

#ifndef __CUDA_ARCH__
    /// `some` numbers, followed by zeros up to a vector.
    static HostVector<double> widened(const Value* from, int some) {
        double to[lanes] = {};
        for (int lane = 0; lane < some; ++lane) to[lane] = from[lane];
        return HostVector<double>::load(to);
    }
#endif

#ifdef __CUDACC__
    __device__ static bool sum_products(const CudaBlock<Threads>& block,
                                        const Value* const (&a)[side],
                                        const Value* const (&b)[side], int count,
                                        double (&sums)[side * side]) {
        const int lane = block.rank() % lanes;
        TESSERA_UNROLL_ALL
        for (int s = 0; s < side * side; ++s) sums[s] = 0;
        TESSERA_UNROLL_FOUR
        for (int at = lane; at < count; at += lanes) {
            double x[side], y[side];
            TESSERA_UNROLL_ALL
            for (int s = 0; s < side; ++s) {
                x[s] = a[s][at];
                y[s] = b[s][at];
            }
            TESSERA_UNROLL_ALL
            for (int s = 0; s < side * side; ++s) sums[s] += x[s / side] * y[s % side];
        }
        TESSERA_UNROLL_ALL
        for (int s = 0; s < side * side; ++s)
            for (int step = lanes / 2; step > 0; step /= 2)
                sums[s] += __shfl_down_sync(0xffffffffU, sums[s], step);
        return lane == 0;
    }
#endif
};

}  // namespace tessera::kernels
