#include "orbitals/tiles/grid.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/error.hpp"
#include "orbitals/tiles/tiling.hpp"
#include "support/message_of.hpp"

namespace {

using namespace tessera;
using namespace tessera::orbitals;
using tessera::test::message_of;

constexpr double bohr = 0.529177210903;  // Angstrom, CODATA 2018

TEST(OrbitalGrid, LengthsAreInAngstromUnlessBohrIsSaid) {
    EXPECT_NEAR(parse_lengths("--padding", "3", 1)[0], 3 / bohr, 1e-12);
    EXPECT_EQ(parse_lengths("--padding", "3bohr", 1)[0], 3);
    EXPECT_EQ(parse_lengths("--origin", "-1,2,3.5bohr", 3), (std::vector<double>{-1, 2, 3.5}));
    EXPECT_EQ(parse_lengths("--spacing", "0.2bohr", 3, true), (std::vector<double>{0.2, 0.2, 0.2}));
    for (const char* text : {"", "x", "1,2", "1,2,3,4", "1;2;3", "1,2,3ft", "nan,1,1", "1,,1"})
        EXPECT_NE(message_of([&] { parse_lengths("--origin", text, 3); }).find("--origin"),
                  std::string::npos)
            << text;
}

TEST(OrbitalGrid, LengthsOutOfTheirRangeAreToldInTheirUnit) {
    EXPECT_EQ(message_of([] { parse_lengths("--spacing", "-0.1", 3, true, spacing_range); }),
              "--spacing -0.1 Angstrom is out of range (nothing was computed): choose between "
              "5.29177e-05 and 52.9177 Angstrom");
    EXPECT_EQ(message_of([] { parse_lengths("--padding", "1e9bohr", 1, false, padding_range); }),
              "--padding 1e+09 bohr is out of range (nothing was computed): choose between 0 and "
              "1000 bohr");
}

TEST(OrbitalGrid, OneBoxHoldsAllFramesWithThePadding) {
    io::Wavefunction a, b;
    a.nuclei = {{"H", 1, {0, 0, 0}}, {"H", 1, {2, 0, 0}}};
    b.nuclei = {{"H", 1, {0, -1, 0}}, {"H", 1, {0, 0, 4}}};
    OrbitalInput input;
    input.padding = 1.5;
    input.spacing = {0.5, 0.4, 0.3};
    const UniformGrid grid = make_grid(input, {&a, &b});
    EXPECT_EQ(grid.origin.x, -1.5);
    EXPECT_EQ(grid.origin.y, -2.5);
    EXPECT_EQ(grid.origin.z, -1.5);
    // 5 bohr in steps of 0.5: 11 points; 4 by 0.4: 11; 7 by 0.3: 24 steps cover it, 25 points.
    EXPECT_EQ(grid.shape, (std::array<std::int64_t, 3>{11, 11, 25}));
}

TEST(OrbitalGrid, AGridOfOnesOwnIsTakenAsItIs) {
    OrbitalInput input;
    input.origin = Vec3{1, 2, 3};
    input.shape = parse_shape("--grid", "4,5,6");
    const UniformGrid grid = make_grid(input, {});
    EXPECT_EQ(grid.origin.z, 3);
    EXPECT_EQ(grid.shape, (std::array<std::int64_t, 3>{4, 5, 6}));
    for (const char* text : {"4,5", "0,1,1", "-1,2,3", "1.5,2,3", "a,b,c", ""})
        EXPECT_NE(message_of([&] { parse_shape("--grid", text); }).find("--grid"),
                  std::string::npos);
}

TEST(OrbitalGrid, TenToTheThirteenPointsAreRefusedAtOnce) {
    io::Wavefunction molecule;
    molecule.nuclei = {{"H", 1, {0, 0, 0}}};
    OrbitalInput input;
    input.spacing = {5e-4, 5e-4, 5e-4};
    EXPECT_NE(message_of([&] { make_grid(input, {&molecule}); }).find("too large"),
              std::string::npos);
    input.origin = Vec3{};
    input.shape = {100000, 100000, 1000};
    EXPECT_NE(message_of([&] { make_grid(input, {}); }).find("1e+13"), std::string::npos);
    input.shape = {100000, 100000, 1};
    EXPECT_NE(message_of([&] { make_grid(input, {}); }).find("plane"), std::string::npos);
    EXPECT_NE(message_of([] { make_grid(OrbitalInput{}, {}); }).find("no box"), std::string::npos);
}

TEST(OrbitalTiling, CoversEveryPlaneOfEveryOrbitalOnce) {
    const TilingRequest request{2, 130, true, true, true, true, {300, 200, 75}};
    std::set<std::array<std::int64_t, 4>> seen;
    std::int64_t expected_id = 0, surfaces = 0;
    for (const OrbitalWork& tile : cut_tiles(request)) {
        EXPECT_LE(tile.count, 96);
        surfaces += tile.kind == TileKind::surface;
        for (std::int64_t z = tile.first_plane; z < tile.first_plane + tile.planes; ++z)
            for (int i = 0; tile.kind == TileKind::orbitals && i < tile.count; ++i)
                EXPECT_TRUE(seen.insert({0, tile.frame, tile.first + i, z}).second);
        for (std::int64_t z = tile.first_plane;
             tile.kind != TileKind::orbitals && tile.kind != TileKind::surface &&
             z < tile.first_plane + tile.planes;
             ++z)
            EXPECT_TRUE(
                seen.insert({static_cast<std::int64_t>(tile.kind), tile.frame, 0, z}).second);
        ++expected_id;
    }
    EXPECT_EQ(seen.size(), 2u * 75 * (130 + 2));
    EXPECT_EQ(surfaces, 260);
}

TEST(OrbitalTiling, DensitiesThatAreAskedForHaveASurfaceInEachFrame) {
    TilingRequest request{3, 2, false, true, false, true, {30, 20, 75}};
    request.density_surfaces = true;
    std::map<TileKind, int> count;
    for (const OrbitalWork& tile : cut_tiles(request)) ++count[tile.kind];
    EXPECT_EQ(count[TileKind::density_surface], 3);
    EXPECT_EQ(count[TileKind::spin_density_surface], 0);
    EXPECT_EQ(count[TileKind::surface], 6);
    request.spin_density = true;
    count.clear();
    for (const OrbitalWork& tile : cut_tiles(request)) ++count[tile.kind];
    EXPECT_EQ(count[TileKind::spin_density_surface], 3);
}

TEST(OrbitalTiling, OverlapsOfEveryPairOnEveryPlaneOnce) {
    const TilingRequest request{2, 130, false, false, false, false, {300, 200, 75}, true};
    std::map<std::array<std::int64_t, 3>, std::int64_t> planes;  // frame, row, column
    for (const OrbitalWork& tile : cut_tiles(request))
        for (int row = tile.first; tile.kind == TileKind::overlaps && row < tile.first + tile.count;
             ++row)
            for (int column = std::max(row, tile.other_first);
                 column < tile.other_first + tile.other_count; ++column)
                planes[{tile.frame, row, column}] += tile.planes;
    EXPECT_EQ(planes.size(), 2u * 130 * 131 / 2);
    for (const auto& [pair, count] : planes) EXPECT_EQ(count, 75);
}

TEST(OrbitalTiling, AMeanTakesEveryFrameOnEveryPlaneOnce) {
    for (const auto& points : {std::array<std::int64_t, 3>{80, 80, 80}, {500, 500, 301}})
        for (const std::int32_t frames : {1, 7, 1000}) {
            TilingRequest request{frames};
            request.points = points;
            request.mean_density = true;
            std::map<std::int32_t, std::int64_t> planes;  // of each frame
            for (const OrbitalWork& tile : cut_tiles(request)) {
                EXPECT_EQ(tile.kind, TileKind::mean_density);
                EXPECT_LE(tile.planes * points[0] * points[1], 1 << 22);
                for (std::int32_t f = tile.frame; f < tile.frame + tile.count; ++f)
                    planes[f] += tile.planes;
            }
            EXPECT_EQ(std::ssize(planes), frames);
            for (const auto& [frame, count] : planes) EXPECT_EQ(count, points[2]) << frame;
        }
}

TEST(OrbitalTiling, TheSumsOfAMeanFitIntoMemory) {
    EXPECT_EQ(choose_mean_shape(1000, {80, 80, 80}).blocks, 64);
    EXPECT_EQ(choose_mean_shape(5, {80, 80, 80}).blocks, 3);
    const MeanShape large = choose_mean_shape(1000, {400, 400, 400});  // 64 Mi points
    EXPECT_EQ(large.blocks, 4);
    EXPECT_EQ(large.planes, 26);
    EXPECT_EQ(choose_mean_shape(1000, {8000, 8000, 100}).blocks, 1);
    EXPECT_EQ(choose_mean_shape(1000, {8000, 8000, 100}).planes, 1);
}

TEST(OrbitalTiling, TilesHoldWhatABufferShouldHold) {
    for (const auto& points : {std::array<std::int64_t, 3>{172, 173, 169},
                               {516, 519, 507},
                               {8, 8, 8},
                               {8000, 8000, 3},
                               {1, 1, 100000}})
        for (const std::int64_t orbitals : {1, 7, 192, 5000})
            for (const bool stored : {true, false}) {
                const TileShape shape = choose_tile_shape(orbitals, points, stored);
                EXPECT_GE(shape.batch, 1);
                EXPECT_GE(shape.planes, 1);
                EXPECT_LE(shape.batch, std::min<std::int64_t>(96, orbitals));
                EXPECT_LE(shape.planes, points[2]);
                EXPECT_LE(shape.batch * shape.planes * points[0] * points[1],
                          std::int64_t{1} << (stored ? 26 : 30));
            }
}

TEST(OrbitalTiling, NormsOfManyOrbitalsAreTakenTogether) {
    const TileShape shape = choose_tile_shape(192, {516, 519, 507}, false);
    EXPECT_EQ(shape.batch, 96);
    EXPECT_EQ(shape.planes, 16);
}

}  // namespace
