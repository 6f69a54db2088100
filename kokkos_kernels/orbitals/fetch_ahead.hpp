// Asks a host's processor for memory before it is needed.
#pragma once

#include "kokkos_kernels/device/block_tools.hpp"

namespace tessera::kernels {

/// Nothing happens on a device, or where there is no such memory.
KOKKOS_INLINE_FUNCTION void fetch_ahead([[maybe_unused]] const double* place) {
#if defined(__GNUC__) && !defined(__CUDA_ARCH__)
    __builtin_prefetch(place);
#endif
}
KOKKOS_INLINE_FUNCTION void fetch_for_writing([[maybe_unused]] const double* place) {
#if defined(__GNUC__) && !defined(__CUDA_ARCH__)
    __builtin_prefetch(place, 1);
#endif
}
inline constexpr int numbers_of_line = 64 / static_cast<int>(sizeof(double));

}  // namespace tessera::kernels
