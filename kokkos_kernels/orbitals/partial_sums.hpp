// Sums over tiles, compensated, in tile order.
#pragma once

#include "core/compensated_sum.hpp"
#include "kokkos_kernels/device/block_tools.hpp"

namespace tessera::kernels {

/// sums[row] = sum of partials[row][tile] over the tiles. A block takes a row. The tiles are cut
/// into a fixed number of runs, and each is summed in order. Neighbouring runs are added, then
/// pairs of runs, and so on.
template <int Threads>
struct SumPartials {
    static constexpr bool begins_early = true;
    static constexpr int threads = Threads, blocks_per_unit = 2, runs = 512;
    using Sum = CompensatedSum<double>;
    static constexpr int shared_bytes = runs * static_cast<int>(sizeof(Sum));

    const double* partials;
    int tiles;
    Sum* sums;

    template <class Block>
    KOKKOS_FUNCTION void operator()(const Block& block) const {
        block.wait_for_earlier();
        const double* row = partials + std::int64_t{block.index} * tiles;
        auto* run_sums = static_cast<Sum*>(block.shared);
        const int length = (tiles + runs - 1) / runs;
        for (int run = block.rank(); run < runs; run += block.size) {
            Sum sum;
            const int end = (run + 1) * length < tiles ? (run + 1) * length : tiles;
            TESSERA_UNROLL_FOUR
            for (int tile = run * length; tile < end; ++tile) sum.add(row[tile]);
            run_sums[run] = sum;
        }
        for (int step = 1; step < runs; step *= 2) {
            block.barrier();
            for (int run = block.rank(); run < runs; run += block.size)
                if (run % (2 * step) == 0) run_sums[run].add(run_sums[run + step]);
        }
        if (block.rank() == 0) sums[block.index] = run_sums[0];
    }
};

}  // namespace tessera::kernels
