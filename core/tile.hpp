// The unit of work and of results. Tile boundaries come from the input alone, never from the
// number of ranks or devices, so that partials keyed by TileId combine to the same bits anywhere.
#pragma once

#include <compare>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace tessera {

/// Position of a tile in the input's fixed tiling; tiles are combined in this order.
struct TileId {
    std::int64_t value = 0;
    auto operator<=>(const TileId&) const = default;
};

/// A half-open range [begin, end) of work items (base rotations, grid tiles, wedge columns).
struct Tile {
    TileId id;
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t size() const { return end - begin; }
};

/// What a tile yields: the record that kernels return, MPI gathers and the journal stores.
template <class Payload>
struct TilePartial {
    static_assert(std::is_trivially_copyable_v<Payload>, "partials travel as bytes");
    TileId id;
    std::vector<Payload> records;
};

/// What became of a tile that a rank gave back to where it came from.
struct HandedOn {
    bool accepted = true;  ///< another rank takes it
    Tile tile;             ///< where not accepted: one that no rank can take any more
    int failures = 1;      ///< ranks that this one failed on
};

/// Cuts `items` work items into tiles of `tile_size` (the last one may be shorter).
inline std::vector<Tile> cut_into_tiles(std::int64_t items, std::int64_t tile_size) {
    std::vector<Tile> tiles;
    for (std::int64_t begin = 0; begin < items; begin += tile_size) {
        const std::int64_t end = begin + tile_size < items ? begin + tile_size : items;
        tiles.push_back({{static_cast<std::int64_t>(tiles.size())}, begin, end});
    }
    return tiles;
}

}  // namespace tessera
