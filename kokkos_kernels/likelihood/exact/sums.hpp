// Sums of a thread, of a block and over blocks of columns, compensated or plain.
#pragma once

#include <type_traits>

#include "core/compensated_sum.hpp"
#include "kokkos_kernels/device/views.hpp"

namespace tessera::kernels {

/// A plain sum with the interface of the compensated one, to study the precision.
template <class Real>
struct PlainSum {
    Real value = 0;
    static constexpr Real compensation = 0;

    KOKKOS_INLINE_FUNCTION void add(Real term) { value += term; }
    KOKKOS_INLINE_FUNCTION void add(const PlainSum& other) { value += other.value; }
};

/// The arithmetic of a kernel: its number type, and how it adds up.
template <class RealType, bool Compensated>
struct Arithmetic {
    using Real = RealType;
    using Sum = std::conditional_t<Compensated, CompensatedSum<Real>, PlainSum<Real>>;
};

/// Adds up one sum per thread, first neighbours, then pairs of them, and so on. The result is valid
/// in rank 0. `scratch` holds one sum per thread, and is free again after the next barrier.
template <class Block, class Sum>
KOKKOS_FUNCTION Sum sum_block([[maybe_unused]] const Block& block, const Sum& mine,
                              [[maybe_unused]] Sum* scratch) {
    if constexpr (Block::size == 1) {
        return mine;
    } else {
        scratch[block.rank()] = mine;
        for (int step = 1; step < Block::size; step *= 2) {
            block.barrier();
            if (block.rank() % (2 * step) == 0)
                scratch[block.rank()].add(scratch[block.rank() + step]);
        }
        return scratch[0];
    }
}

/// sums[term] = sum of partials[block][term], in fixed runs. A block takes a term.
template <class Math, class Device>
struct SumPartialTerms {
    using Sum = typename Math::Sum;
    static constexpr int threads = is_host<Device> ? 1 : 256, blocks_per_unit = 4;
    static constexpr int shared_bytes = threads * static_cast<int>(sizeof(Sum));

    const Sum* partials;
    int blocks, term_count;
    Sum* sums;

    template <class Block>
    KOKKOS_FUNCTION void operator()(const Block& block) const {
        Sum sum;
        for (int i = block.rank(); i < blocks; i += block.size)
            sum.add(partials[std::int64_t{i} * term_count + block.index]);
        const Sum all = sum_block(block, sum, static_cast<Sum*>(block.shared));
        if (block.rank() == 0) sums[block.index] = all;
    }
};

}  // namespace tessera::kernels
