#include <gtest/gtest.h>

#include <map>
#include <set>

#include "plan/orbital_sample.hpp"

namespace tessera::plan {
namespace {

using orbitals::OrbitalWork;
using orbitals::TileKind;

/// Ten batches of 90 orbitals, 16 planes a tile.
std::vector<OrbitalWork> ten_bands() {
    std::vector<OrbitalWork> bands;
    for (int first = 0; first < 900; first += 90)
        bands.push_back({TileKind::orbitals, 0, first, 90, 0, 16});
    return bands;
}

TEST(SpreadTiles, AreAllTilesOnce) {
    std::map<std::pair<int, int>, int> planes;
    for (const OrbitalWork& tile : spread_tiles(ten_bands(), 521))
        planes[{tile.first, static_cast<int>(tile.first_plane)}] += static_cast<int>(tile.planes);
    EXPECT_EQ(planes.size(), 10u * 33);
    for (const auto& [place, count] : planes) EXPECT_EQ(count, place.second == 512 ? 9 : 16);
}

TEST(SpreadTiles, ABeginningReachesAllOrbitalsAndTheWholeGrid) {
    const auto tiles = spread_tiles(ten_bands(), 521);
    std::map<int, int> of_band, of_quarter;
    for (int i = 0; i < 40; ++i) {
        ++of_band[tiles[i].first];
        ++of_quarter[static_cast<int>(tiles[i].first_plane * 4 / 521)];
    }
    EXPECT_EQ(of_band.size(), 10u);
    for (const auto& [band, count] : of_band) EXPECT_NEAR(count, 4, 1) << band;
    for (const auto& [quarter, count] : of_quarter) EXPECT_NEAR(count, 10, 1) << quarter;
}

TEST(SpreadTiles, AFewThousandOfMany) {
    std::vector<OrbitalWork> bands;
    for (int first = 0; first < 2000; ++first)
        bands.push_back({TileKind::orbitals, 0, first, 1, 0, 1});
    const auto tiles = spread_tiles(bands, 100);
    std::set<std::pair<int, std::int64_t>> places;
    for (const OrbitalWork& tile : tiles) places.insert({tile.first, tile.first_plane});
    EXPECT_EQ(tiles.size(), 4096u);
    EXPECT_EQ(places.size(), 4096u);
}

}  // namespace
}  // namespace tessera::plan
