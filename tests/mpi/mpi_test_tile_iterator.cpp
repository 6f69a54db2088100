// Run on 1, 2, 3 and 4 ranks.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "mpi/communicator.hpp"
#include "mpi/scheduling/node_tile_iterator.hpp"

namespace {

using tessera::cut_into_tiles;
using tessera::Tile;
using tessera::mpi::Communicator;
using tessera::mpi::NodeTileIterator;
using tessera::mpi::NodeTileOptions;

/// The ids of the tiles this rank got, in the order it got them.
std::vector<std::int64_t> drain(NodeTileIterator& iterator, std::chrono::microseconds pause = {}) {
    std::vector<std::int64_t> ids;
    while (const auto tile = iterator.next()) {
        ids.push_back(tile->id.value);
        if (pause.count() > 0) std::this_thread::sleep_for(pause);
    }
    return ids;
}

/// On rank 0: every id 0 … count - 1 came exactly once over all ranks.
void expect_each_once(const Communicator& world, const std::vector<std::int64_t>& mine,
                      std::int64_t count) {
    std::vector<std::int64_t> all = world.gather(mine);
    if (!world.is_root()) return;
    std::sort(all.begin(), all.end());
    ASSERT_EQ(static_cast<std::int64_t>(all.size()), count);
    for (std::int64_t i = 0; i < count; ++i) ASSERT_EQ(all[static_cast<std::size_t>(i)], i);
}

/// Ranks per faked node; 0 is the real node.
class TileIterator : public testing::TestWithParam<int> {
  protected:
    NodeTileOptions options() const { return {GetParam(), {}}; }
    const Communicator world = Communicator::world();
};

TEST_P(TileIterator, HandsOutEveryTileOnce) {
    for (const std::int64_t count : {0, 1, 2, 3, 5, 17, 1000}) {
        NodeTileIterator iterator(world, cut_into_tiles(count * 3, 3), options());
        const auto ids = drain(iterator);
        EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
        EXPECT_FALSE(iterator.next().has_value());
        expect_each_once(world, ids, count);
    }
}

TEST_P(TileIterator, ManyTilesUnderContention) {
    const std::int64_t count = 20000;
    NodeTileIterator iterator(world, cut_into_tiles(count, 1), options());
    world.barrier();
    expect_each_once(world, drain(iterator), count);
}

TEST_P(TileIterator, ShuffledOrderIsAPermutation) {
    NodeTileOptions shuffled = options();
    shuffled.shuffle_seed = 7;
    NodeTileIterator iterator(world, cut_into_tiles(500, 1), shuffled);
    const auto ids = drain(iterator);
    if (ids.size() > 20) {
        EXPECT_FALSE(std::is_sorted(ids.begin(), ids.end()));
    }
    expect_each_once(world, ids, 500);
}

TEST_P(TileIterator, ASlowRankHoldsNothingUp) {
    using std::chrono::microseconds;
    const std::int64_t count = 400;
    NodeTileIterator iterator(world, cut_into_tiles(count, 1), options());
    const bool slow = world.rank() == world.size() - 1 && world.size() > 1;
    world.barrier();
    const auto ids = drain(iterator, microseconds(slow ? 50000 : 500));
    expect_each_once(world, ids, count);
    // A hundred times slower than the others: far from an equal share.
    if (slow) {
        EXPECT_LT(static_cast<std::int64_t>(ids.size()), count / world.size() / 2);
    }
}

TEST_P(TileIterator, CountsWhatIsFinishedAndWhoIsBusy) {
    NodeTileIterator iterator(world, cut_into_tiles(100, 1), options());
    EXPECT_GE(iterator.tiles_finished(), 0);
    EXPECT_LE(iterator.ranks_busy(), world.size());
    world.barrier();
    drain(iterator);
    world.barrier();
    if (world.is_root()) {
        EXPECT_EQ(iterator.tiles_finished(), 100);
    }
    EXPECT_LT(iterator.ranks_busy(), world.size());
    world.barrier();
}

TEST_P(TileIterator, AHeldTileKeepsTheOthers) {
    NodeTileIterator iterator(world, cut_into_tiles(1, 1), options());
    const auto held_until = std::chrono::milliseconds(60);
    const auto start = std::chrono::steady_clock::now();
    const auto first = iterator.next();
    if (first) std::this_thread::sleep_for(held_until);
    const auto second = first ? iterator.next() : std::nullopt;
    EXPECT_FALSE(second.has_value());
    // Whoever got nothing was told so only when the one tile was done.
    EXPECT_GE(std::chrono::steady_clock::now() - start, held_until / 2);
    EXPECT_EQ(world.allreduce_sum(first ? 1 : 0), 1);
}

TEST_P(TileIterator, AbandonEndsTheHandingOut) {
    const std::int64_t count = 100000;
    NodeTileIterator iterator(world, cut_into_tiles(count, 1), options());
    world.barrier();
    if (world.is_root()) {
        EXPECT_TRUE(iterator.next().has_value());
        iterator.abandon();
        EXPECT_FALSE(iterator.next().has_value());
    }
    const auto ids = drain(iterator, std::chrono::microseconds(20));
    const std::int64_t handed_out = world.allreduce_sum(static_cast<std::int64_t>(ids.size()));
    EXPECT_LT(handed_out, count / 2);
}

INSTANTIATE_TEST_SUITE_P(RanksPerFakeNode, TileIterator, testing::Values(0, 1, 2, 3),
                         [](const auto& info) {
                             return info.param == 0 ? std::string("RealNode")
                                                    : std::to_string(info.param) + "PerNode";
                         });

}  // namespace
