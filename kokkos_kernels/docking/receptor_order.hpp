// The order in which the receptor's spectra lie in memory.
#pragma once

#include <cstdint>

#include "kokkos_kernels/device/views.hpp"

namespace tessera::kernels {

/// Places of the spectra of orbit members. A column is a pair (ky, kz), with kz fastest. Without
/// tiles the order is [member][channel][kx][column]. The fused sum reads tiles of neighbouring
/// columns along kx. With tiles the order is [member][tile][channel][kx][column of the tile], so
/// that a block reads without gaps.
struct ReceptorOrder {
    int n, channels;
    int width = 0;  ///< columns of a tile: at most 8, or 0 without tiles

    /// Numbers of one spectrum, with room for a last tile that is not full.
    static constexpr KOKKOS_FUNCTION std::int64_t stride(int n) {
        const std::int64_t columns = std::int64_t{n} * (n / 2 + 1);
        return (n * ((columns + 7) / 8 * 8) + 15) / 16 * 16;
    }

    constexpr KOKKOS_FUNCTION std::int64_t index(int member, int channel, int kx,
                                                 int column) const {
        const std::int64_t start = std::int64_t{member} * channels * stride(n);
        if (width == 0)
            return start + channel * stride(n) + std::int64_t{kx} * n * (n / 2 + 1) + column;
        const int tile = column / width;
        return start + (std::int64_t{tile} * channels + channel) * n * width + kx * width +
               column % width;
    }
};

}  // namespace tessera::kernels
