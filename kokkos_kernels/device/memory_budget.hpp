// How much memory a rank may use on its device.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kokkos_kernels/device/device.hpp"

namespace tessera::kernels {

/// Bytes of a GPU that one of `ranks` ranks on it may plan with: its part of what is free, and no
/// more than `fraction` of the whole. Programs whose fractions add up to 1 fit on it together.
inline std::int64_t gpu_share(std::int64_t free_bytes, std::int64_t total_bytes, int ranks,
                              double fraction) {
    return std::min(free_bytes / ranks,
                    static_cast<std::int64_t>(fraction * static_cast<double>(total_bytes)));
}

/// Bytes that a rank may use: `asked_gib`. If `asked_gib` is 0, they are nine tenths of the free
/// memory of a GPU, or half of that of a host, which the page cache and other ranks use too.
inline std::int64_t memory_budget(Backend backend, std::int64_t free_bytes, double asked_gib) {
    if (asked_gib > 0) return static_cast<std::int64_t>(asked_gib * 0x1p30);
    return backend == Backend::cuda ? free_bytes - free_bytes / 10 : free_bytes / 2;
}

}  // namespace tessera::kernels
