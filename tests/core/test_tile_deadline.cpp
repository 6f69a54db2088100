#include "core/tile_deadline.hpp"

#include <gtest/gtest.h>

namespace {

using tessera::TileDeadline;
using tessera::TileTimes;

const TileDeadline twenty_times{20, 300};

TileTimes of(std::initializer_list<double> seconds) {
    TileTimes times;
    for (const double one : seconds) times.add(one);
    return times;
}

TEST(TileDeadline, IsOffUntilACommandTurnsItOn) {
    EXPECT_FALSE(TileDeadline{}.is_on());
    EXPECT_TRUE(twenty_times.is_on());
}

TEST(TileDeadline, TheFirstTilesTellNothing) {
    // Kernels are loaded and plans made in them.
    EXPECT_EQ(of({}).limit(twenty_times), 3600);
    EXPECT_EQ(of({1000, 2}).limit(twenty_times), 3600);
    EXPECT_EQ(of({1000, 2}).usual(), 0);
    EXPECT_LT(of({1000, 2, 2}).limit(twenty_times), 3600);
}

TEST(TileDeadline, IsAMultipleOfTheMedian) {
    EXPECT_EQ(of({1000, 30, 20}).usual(), 30);
    EXPECT_EQ(of({1000, 30, 20}).limit(twenty_times), 600);
    EXPECT_EQ(of({90, 30, 20, 31, 29, 1000, 30}).limit(twenty_times), 600);
}

TEST(TileDeadline, ShortTilesHaveTheLeastTime) {
    EXPECT_EQ(of({0.001, 0.002, 0.001}).limit(twenty_times), 300);
    EXPECT_EQ(of({14, 14, 14}).limit(twenty_times), 300);
    EXPECT_EQ(of({16, 16, 16}).limit(twenty_times), 320);
}

TEST(TileDeadline, FollowsTilesThatGrow) {
    TileTimes times;
    for (int i = 0; i < 1000; ++i) times.add(1);
    EXPECT_EQ(times.usual(), 1);
    for (int i = 0; i < 31; ++i) times.add(100);
    EXPECT_EQ(times.usual(), 100);
    EXPECT_EQ(times.limit(twenty_times), 2000);
}

}  // namespace
