#include "core/tile.hpp"

#include <gtest/gtest.h>

namespace {

using tessera::cut_into_tiles;
using tessera::Tile;
using tessera::TileId;

TEST(Tile, CutsWithAShorterLastTile) {
    const std::vector<Tile> tiles = cut_into_tiles(10, 4);
    ASSERT_EQ(tiles.size(), 3u);
    EXPECT_EQ(tiles[0].begin, 0);
    EXPECT_EQ(tiles[0].end, 4);
    EXPECT_EQ(tiles[1].begin, 4);
    EXPECT_EQ(tiles[1].end, 8);
    EXPECT_EQ(tiles[2].begin, 8);
    EXPECT_EQ(tiles[2].end, 10);
    EXPECT_EQ(tiles[2].size(), 2);
    EXPECT_EQ(tiles[2].id, TileId{2});
}

TEST(Tile, CoversEveryItemOnce) {
    for (const std::int64_t items : {0, 1, 7, 8, 9, 1000})
        for (const std::int64_t size : {1, 3, 8, 2000}) {
            std::int64_t next = 0, id = 0;
            for (const Tile& tile : cut_into_tiles(items, size)) {
                EXPECT_EQ(tile.id.value, id++);
                EXPECT_EQ(tile.begin, next);
                EXPECT_GT(tile.size(), 0);
                EXPECT_LE(tile.size(), size);
                next = tile.end;
            }
            EXPECT_EQ(next, items);
        }
}

TEST(Tile, IdsAreOrdered) {
    EXPECT_LT(TileId{2}, TileId{10});
    EXPECT_NE(TileId{1}, TileId{0});
}

}  // namespace
