// A range of positions in the list of tiles, packed into one word for compare-and-swap.
#pragma once

#include <cstdint>

namespace tessera::mpi {

/// [begin, end) of positions.
struct TileRange {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;

    static TileRange of(std::uint64_t word) {
        return {static_cast<std::uint32_t>(word >> 32), static_cast<std::uint32_t>(word)};
    }
    std::uint64_t word() const { return (std::uint64_t{begin} << 32) | end; }
    bool empty() const { return begin >= end; }
    std::uint32_t size() const { return empty() ? 0 : end - begin; }
};

}  // namespace tessera::mpi
