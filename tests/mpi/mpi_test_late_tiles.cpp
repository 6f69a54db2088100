// Run on 1, 2, 3 and 4 ranks: a tile that is late is done by another rank too, and counts once.
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <thread>

#include "engine/run_tiles.hpp"
#include "mpi/communicator.hpp"
#include "mpi/gather_by_tile.hpp"
#include "mpi/scheduling/node_tile_iterator.hpp"

namespace {

using namespace tessera;
using mpi::Communicator;
using mpi::NodeTileIterator;

constexpr std::int64_t late_count = 40;

/// The partial is the tile's id and the rank; `before` is called with the tiles computed here so
/// far.
struct Workload {
    using Payload = std::int64_t;
    std::function<void(int computed)> before;
    int rank = 0, computed = 0;

    TilePartial<Payload> run(const Tile& tile) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        before(computed++);
        return {tile.id, {tile.id.value, rank}};
    }
};

/// Ranks per faked node; 0 is the real node.
class LateTiles : public testing::TestWithParam<int> {
  protected:
    void SetUp() override {
        if (world.size() == 1) GTEST_SKIP() << "there is no other rank";
    }
    mpi::NodeTileOptions options() const {
        mpi::NodeTileOptions options;
        options.ranks_per_fake_node = GetParam();
        // First tiles are late after 60 ms, later ones never; no run is stuck.
        options.deadline = {1e9, 0.005, 1e6};
        return options;
    }
    /// Whole, and what is left of the tiles of `late` came from others.
    void expect_whole(const TileRun<std::int64_t>& mine) {
        const auto all = mpi::gather_by_tile(world, mine.partials, late_count);
        for (std::size_t i = 0; i < all.size(); ++i)
            EXPECT_EQ(all[i].records.at(0), static_cast<std::int64_t>(i));
        EXPECT_EQ(world.allreduce_sum(mine.tiles_done), late_count);
    }
    const Communicator world = Communicator::world();
    const int rank = world.rank(), late = world.size() - 1;
};

TEST_P(LateTiles, WhoIsDoneFirstCounts) {
    NodeTileIterator tiles(world, cut_into_tiles(late_count, 1), options());
    // The late rank comes back when all tiles are done, its own among them.
    Workload workload{[&](int computed) {
                          while (rank == late && computed == 1 &&
                                 tiles.tiles_finished() < late_count)
                              std::this_thread::sleep_for(std::chrono::milliseconds(5));
                      },
                      rank};
    NoJournal<std::int64_t> journal;
    TileRun<std::int64_t> mine;
    world.together([&] { mine = run_tiles(workload, tiles, journal); });
    expect_whole(mine);
    if (rank != late || workload.computed < 2) return;
    EXPECT_EQ(mine.tiles_done, 1);
    ASSERT_EQ(mine.retries.size(), 1U);
    EXPECT_EQ(mine.retries[0].reason.str(), "late");
}

TEST_P(LateTiles, ALateTileThatFailsIsStillDoneOnce) {
    NodeTileIterator tiles(world, cut_into_tiles(late_count, 1), options());
    Workload workload{[&](int computed) {
                          if (rank != late || computed != 1) return;
                          std::this_thread::sleep_for(std::chrono::milliseconds(200));
                          throw TileFailure(TileFailure::Reason::out_of_memory, "on order");
                      },
                      rank};
    NoJournal<std::int64_t> journal;
    TileRun<std::int64_t> mine;
    world.together([&] { mine = run_tiles(workload, tiles, journal); });
    expect_whole(mine);
}

TEST_P(LateTiles, AllRanksMayBeLate) {
    NodeTileIterator tiles(world, cut_into_tiles(late_count, 1), options());
    Workload workload{[&](int computed) {
                          if (computed == 0)
                              std::this_thread::sleep_for(std::chrono::milliseconds(200));
                      },
                      rank};
    NoJournal<std::int64_t> journal;
    TileRun<std::int64_t> mine;
    world.together([&] { mine = run_tiles(workload, tiles, journal); });
    expect_whole(mine);
}

INSTANTIATE_TEST_SUITE_P(Nodes, LateTiles, testing::Values(0, 1, 2), [](const auto& info) {
    return info.param == 0 ? std::string("OneNode") : "NodesOf" + std::to_string(info.param);
});

}  // namespace
