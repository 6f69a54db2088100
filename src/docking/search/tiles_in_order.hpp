// Tiles for one process alone.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/tile.hpp"

namespace tessera::docking {

/// Hands out all tiles one after another.
class TilesInOrder {
  public:
    explicit TilesInOrder(std::vector<Tile> tiles) : tiles_(std::move(tiles)) {}

    std::optional<Tile> next() {
        if (next_ == tiles_.size()) return std::nullopt;
        return tiles_[next_++];
    }
    std::int64_t drawn() const { return static_cast<std::int64_t>(next_); }
    std::int64_t total() const { return std::ssize(tiles_); }

  private:
    std::vector<Tile> tiles_;
    std::size_t next_ = 0;
};

}  // namespace tessera::docking
