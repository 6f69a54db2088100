// Sums over all chunks of stars, in a fixed order.
#pragma once

#include "kokkos_kernels/device/block_launch.hpp"
#include "kokkos_kernels/likelihood/exact/sums.hpp"

namespace tessera::kernels {

/// out[row][number] = sum of partials[row][chunk][number]. A block takes a row and a number.
template <class Device>
struct SumOfChunks {
    using Sum = CompensatedSum<double>;
    static constexpr int threads = is_host<Device> ? 1 : 128, blocks_per_unit = 4;
    static constexpr int shared_bytes = threads * static_cast<int>(sizeof(Sum));

    const Sum* partials;
    int chunks, numbers;
    double* out;

    template <class Block>
    KOKKOS_FUNCTION void operator()(const Block& block) const {
        const auto row = static_cast<std::size_t>(block.index / numbers);
        const auto number = static_cast<std::size_t>(block.index % numbers);
        Sum sum;
        for (int i = block.rank(); i < chunks; i += Block::size)
            sum.add(
                partials[(row * static_cast<std::size_t>(chunks) + static_cast<std::size_t>(i)) *
                             static_cast<std::size_t>(numbers) +
                         number]);
        const Sum all = sum_block(block, sum, static_cast<Sum*>(block.shared));
        if (block.rank() == 0) out[block.index] = all.value + all.compensation;
    }
};

}  // namespace tessera::kernels
