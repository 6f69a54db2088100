#include "mpi/scheduling/returned_tiles.hpp"

#include <gtest/gtest.h>

namespace {

using tessera::TileFault;
using tessera::mpi::find_hopeless;
using tessera::mpi::ReturnedRange;
using tessera::mpi::TileRange;
using Kind = ReturnedRange::Kind;

ReturnedRange failed(std::uint32_t position, int rank, TileFault fault = TileFault::out_of_memory) {
    return {Kind::failed, fault, rank, {position, position + 1}};
}
ReturnedRange taken(ReturnedRange line) {
    line.range.begin = line.range.end;
    return line;
}
ReturnedRange gone(int rank) { return {Kind::gone, TileFault::device_lost, rank, {1, 1}}; }

TEST(TileRange, FitsAWord) {
    const TileRange range{7, 4'000'000'000U};
    const TileRange again = TileRange::of(range.word());
    EXPECT_EQ(again.begin, 7U);
    EXPECT_EQ(again.end, 4'000'000'000U);
    EXPECT_EQ(again.size(), 3'999'999'993U);
    EXPECT_TRUE((TileRange{5, 5}.empty()));
    EXPECT_EQ((TileRange{6, 5}.size()), 0U);
}

TEST(ReturnedTiles, ATileIsHopelessOnceItFailedOnAllRanks) {
    EXPECT_FALSE(find_hopeless({}, 1));
    EXPECT_TRUE(find_hopeless(std::vector{failed(3, 0)}, 1));
    std::vector log{failed(3, 0)};
    EXPECT_FALSE(find_hopeless(log, 3));
    log = {taken(failed(3, 0)), failed(3, 2)};
    EXPECT_FALSE(find_hopeless(log, 3));
    log = {taken(failed(3, 0)), taken(failed(3, 2)), failed(3, 1)};
    const auto hopeless = find_hopeless(log, 3);
    ASSERT_TRUE(hopeless);
    EXPECT_EQ(hopeless->position, 3U);
    EXPECT_EQ(hopeless->failures, 3);
}

TEST(ReturnedTiles, RanksThatAreGoneAreNoHope) {
    std::vector log{gone(2), failed(3, 0), failed(8, 1)};
    EXPECT_FALSE(find_hopeless(log, 3));
    log.push_back(gone(1));  // 0 has failed on tile 3, but not on tile 8
    const auto hopeless = find_hopeless(log, 3);
    ASSERT_TRUE(hopeless);
    EXPECT_EQ(hopeless->position, 3U);
    EXPECT_EQ(hopeless->failures, 1);
    log[1] = taken(log[1]);  // 0 cannot have taken it, but whoever did is trying
    EXPECT_FALSE(find_hopeless(log, 3));
}

TEST(ReturnedTiles, LeftOversAreHopelessWithoutRanks) {
    std::vector log{ReturnedRange{Kind::left_over, TileFault::device_lost, 0, {10, 20}}, gone(0)};
    EXPECT_FALSE(find_hopeless(log, 2));
    log.push_back(gone(1));
    ASSERT_TRUE(find_hopeless(log, 2));
    EXPECT_EQ(find_hopeless(log, 2)->position, 10U);
}

TEST(ReturnedTiles, AFewRanksAreEnoughToKnow) {
    std::vector<ReturnedRange> log;
    for (int rank = 0; rank < 3; ++rank) {
        EXPECT_FALSE(find_hopeless(log, 1000));
        for (auto& line : log) line = taken(line);
        log.push_back(failed(5, rank, TileFault::not_finite));
    }
    EXPECT_TRUE(find_hopeless(log, 1000));
    log = {taken(failed(6, 1, TileFault::device_lost)), failed(6, 7, TileFault::device_lost)};
    EXPECT_TRUE(find_hopeless(log, 1000));
    log.pop_back();
    EXPECT_FALSE(find_hopeless(log, 1000));
}

}  // namespace
