// The unit of work and of results. Tile boundaries depend on the input alone, never on the number
// of ranks or devices. Partials that are combined in the order of TileId therefore give the same
// bits anywhere.
#pragma once

#include <compare>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace tessera {

/// The position of a tile in the input's fixed tiling. Tiles are combined in this order.
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

/// The result of a tile: the records that kernels return, MPI gathers and the journal stores.
template <class Payload>
struct TilePartial {
    static_assert(std::is_trivially_copyable_v<Payload>, "partials travel as bytes");
    TileId id;
    std::vector<Payload> records;
};

/// The outcome of giving a tile back to the scheduler.
struct HandedOn {
    bool accepted = true;  ///< another rank can take the tile
    Tile tile;             ///< if not accepted: a tile that no rank can take any more
    int failures = 1;      ///< number of ranks that this tile failed on
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
