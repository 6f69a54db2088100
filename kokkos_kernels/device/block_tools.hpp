// Tools of the block kernels: unrolling, powers of two, ordered lists and sums within a block.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "kokkos_kernels/device/block_launch.hpp"

/// For loops over register arrays, on devices and for vector registers of hosts.
#if defined(__CUDA_ARCH__)
#define TESSERA_UNROLL_ALL _Pragma("unroll")
#elif defined(__CUDACC__)
#define TESSERA_UNROLL_ALL
#elif defined(__clang__)
#define TESSERA_UNROLL_ALL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define TESSERA_UNROLL_ALL _Pragma("GCC unroll 64")
#else
#define TESSERA_UNROLL_ALL
#endif

/// For loops over a thread's items. A device compiler would unroll them and spill registers.
#if defined(__CUDA_ARCH__)
#define TESSERA_KEEP_LOOP _Pragma("unroll 1")
#else
#define TESSERA_KEEP_LOOP
#endif

/// For loops in which a device should have several loads in flight.
#if defined(__CUDA_ARCH__)
#define TESSERA_UNROLL_FOUR _Pragma("unroll 4")
#else
#define TESSERA_UNROLL_FOUR
#endif

namespace tessera::kernels {

inline constexpr int warp_lanes = 32;

/// Far from an atom, exponentials underflow, and x86 cores take a hundred cycles for each subnormal
/// number. While this object lives, the calling thread treats subnormals as zero, as devices do.
class FlushDenormals {
#if defined(__SSE__) && !defined(__CUDA_ARCH__)
  public:
    KOKKOS_FUNCTION FlushDenormals() : before_(__builtin_ia32_stmxcsr()) {
        constexpr unsigned flush_results = 0x8000, flush_operands = 0x0040;
        __builtin_ia32_ldmxcsr(before_ | flush_results | flush_operands);
    }
    KOKKOS_FUNCTION ~FlushDenormals() { __builtin_ia32_ldmxcsr(before_); }
    FlushDenormals(const FlushDenormals&) = delete;
    FlushDenormals& operator=(const FlushDenormals&) = delete;

  private:
    unsigned before_;
#endif
};

/// 2^-t for 0 <= t, to about 2 ulp. A t beyond the normal range gives the smallest normal number.
/// There are no branches, so that a host vectorises it: n = round(t), Taylor series of 2^f for |f|
/// <= 1/2.
KOKKOS_INLINE_FUNCTION float exp2_minus(float t) {
#ifdef __CUDA_ARCH__
    return exp2f(-t);
#else
    const float y = -(t < 125.0F ? t : 125.0F);
    const float shifted = y + 12582912.0F;  // 1.5 * 2^23: the low bits hold the nearest integer
    const float r = (y - (shifted - 12582912.0F)) * 0.693147180559945309F;
    float p = 1.0F / 5040;
    p = p * r + 1.0F / 720;
    p = p * r + 1.0F / 120;
    p = p * r + 1.0F / 24;
    p = p * r + 1.0F / 6;
    p = p * r + 0.5F;
    p = p * r + 1.0F;
    p = p * r + 1.0F;
    const auto exponent = std::bit_cast<std::uint32_t>(shifted) << 23;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(p) + exponent);
#endif
}

KOKKOS_INLINE_FUNCTION double exp2_minus(double t) {
#ifdef __CUDA_ARCH__
    return exp2(-t);
#else
    const double y = -(t < 1020.0 ? t : 1020.0);
    const double shifted = y + 6755399441055744.0;  // 1.5 * 2^52
    const double r = (y - (shifted - 6755399441055744.0)) * 0.693147180559945309417;
    double p = 1.0 / 6227020800;
    p = p * r + 1.0 / 479001600;
    p = p * r + 1.0 / 39916800;
    p = p * r + 1.0 / 3628800;
    p = p * r + 1.0 / 362880;
    p = p * r + 1.0 / 40320;
    p = p * r + 1.0 / 5040;
    p = p * r + 1.0 / 720;
    p = p * r + 1.0 / 120;
    p = p * r + 1.0 / 24;
    p = p * r + 1.0 / 6;
    p = p * r + 0.5;
    p = p * r + 1.0;
    p = p * r + 1.0;
    const auto exponent = std::bit_cast<std::uint64_t>(shifted) << 52;
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(p) + exponent);
#endif
}

/// Neighbouring numbers that are read and written at once. Their address is a multiple of their
/// size (of at most 64 bytes).
template <class Real, int Width>
struct alignas(Width * sizeof(Real) < 64 ? Width * sizeof(Real) : 64) Pack {
    /// What a loop reads several times: a copy in registers, but the place itself if that is long.
    /// GCC copies 64 bytes by way of memory.
    using Read = std::conditional_t<(Width * sizeof(Real) > 32), const Pack&, const Pack>;

    Real v[Width];

    KOKKOS_INLINE_FUNCTION static Pack& at(Real* data) { return *reinterpret_cast<Pack*>(data); }
    KOKKOS_INLINE_FUNCTION static const Pack& at(const Real* data) {
        return *reinterpret_cast<const Pack*>(data);
    }
};

/// Calls store(position, i) for the i in [0, n) with keep(i). Positions count on from `length` in
/// the order of i. Returns the new length to all threads. `scratch` holds one int per warp. The
/// caller needs a barrier between its writes that keep() reads and this call, and another before it
/// reads what was stored.
template <class Block, class Keep, class Store>
KOKKOS_FUNCTION int append_kept([[maybe_unused]] const Block& block, int n, int length,
                                [[maybe_unused]] int* scratch, const Keep& keep,
                                const Store& store) {
    if constexpr (Block::size == 1) {
        for (int i = 0; i < n; ++i)
            if (keep(i)) store(length++, i);
        return length;
    } else {
#ifdef __CUDA_ARCH__
        static_assert(Block::size % warp_lanes == 0);
        const int warp = block.rank() / warp_lanes, lane = block.rank() % warp_lanes;
        for (int base = 0; base < n; base += Block::size) {
            const int i = base + block.rank();
            const bool kept = i < n && keep(i);
            const unsigned mask = __ballot_sync(0xffffffffU, kept);
            if (lane == 0) scratch[warp] = __popc(mask);
            block.barrier();
            int before = 0, all = 0;
            for (int w = 0; w < Block::size / warp_lanes; ++w) {
                before += w < warp ? scratch[w] : 0;
                all += scratch[w];
            }
            if (kept) store(length + before + __popc(mask & ((1U << lane) - 1U)), i);
            length += all;
            block.barrier();
        }
#endif
        return length;
    }
}

/// sums[i] = weight(0) + .. + weight(i - 1) for i = 0 .. n. `scratch` holds one int per warp. A
/// barrier is needed before the sums are read.
template <class Block, class Weight>
KOKKOS_FUNCTION void running_sums(const Block& block, int n, [[maybe_unused]] int* scratch,
                                  const Weight& weight, int* sums) {
    int total = 0;
    if constexpr (Block::size == 1) {
        for (int i = 0; i < n; ++i) {
            sums[i] = total;
            total += weight(i);
        }
    } else {
#ifdef __CUDA_ARCH__
        const int warp = block.rank() / warp_lanes, lane = block.rank() % warp_lanes;
        for (int base = 0; base < n; base += Block::size) {
            const int i = base + block.rank();
            const int own = i < n ? weight(i) : 0;
            int up_to = own;
            for (int step = 1; step < warp_lanes; step *= 2) {
                const int before = __shfl_up_sync(0xffffffffU, up_to, step);
                if (lane >= step) up_to += before;
            }
            if (lane == warp_lanes - 1) scratch[warp] = up_to;
            block.barrier();
            int before = 0, all = 0;
            for (int w = 0; w < Block::size / warp_lanes; ++w) {
                before += w < warp ? scratch[w] : 0;
                all += scratch[w];
            }
            if (i < n) sums[i] = total + before + up_to - own;
            total += all;
            block.barrier();
        }
#endif
    }
    if (block.rank() == 0) sums[n] = total;
}

/// Sum of one value per thread, in a fixed order, valid in rank 0. `scratch` holds one double per
/// warp, and is free again after the next barrier.
template <class Block>
KOKKOS_FUNCTION double block_sum([[maybe_unused]] const Block& block, double value,
                                 [[maybe_unused]] double* scratch) {
    if constexpr (Block::size > 1) {
#ifdef __CUDA_ARCH__
        for (int step = warp_lanes / 2; step > 0; step /= 2)
            value += __shfl_down_sync(0xffffffffU, value, step);
        if (block.rank() % warp_lanes == 0) scratch[block.rank() / warp_lanes] = value;
        block.barrier();
        if (block.rank() == 0)
            for (int w = 1; w < Block::size / warp_lanes; ++w) value += scratch[w];
#endif
    }
    return value;
}

}  // namespace tessera::kernels
