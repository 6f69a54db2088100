// Run on 1, 2, 3 and 4 ranks: tiles that fail on one rank are done by others, and no rank leaves
// early.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <thread>

#include "engine/run_tiles.hpp"
#include "mpi/communicator.hpp"
#include "mpi/gather_by_tile.hpp"
#include "mpi/scheduling/node_tile_iterator.hpp"

namespace {

using tessera::Error;
using tessera::ExitCode;
using tessera::Tile;
using tessera::TileFailure;
using tessera::TilePartial;
using tessera::mpi::Communicator;
using tessera::mpi::gather_by_tile;
using tessera::mpi::NodeTileIterator;
using Reason = tessera::TileFault;

constexpr std::int64_t count = 60;

/// The partial is the tile's id; `fails` says what happens to a tile on this rank.
struct FailingWorkload {
    using Payload = std::int64_t;
    std::function<std::optional<Reason>(std::int64_t tile, int computed)> fails;
    int computed = 0;

    [[noreturn]] static void fail(Reason reason) {
        const char* detail = "as the test wants it";
        switch (reason) {
            case Reason::device_lost: throw tessera::DeviceLost(detail);
            case Reason::not_finite: throw TileFailure(TileFailure::Reason::not_finite, detail);
            case Reason::device_error: throw TileFailure(TileFailure::Reason::device_error, detail);
            default: throw TileFailure(TileFailure::Reason::out_of_memory, detail);
        }
    }

    TilePartial<Payload> run(const Tile& tile) {
        std::this_thread::sleep_for(std::chrono::microseconds(200));
        if (const auto reason = fails(tile.id.value, computed)) fail(*reason);
        ++computed;
        return {tile.id, {tile.id.value}};
    }
};

/// Ranks per faked node; 0 is the real node, -1: one, with counters reached as between machines.
class HandingOn : public testing::TestWithParam<int> {
  protected:
    void SetUp() override {
        if (GetParam() < 0 && world.size() == 1) GTEST_SKIP() << "there is no other rank";
    }
    tessera::TileRun<std::int64_t> run(FailingWorkload& workload) {
        NodeTileIterator tiles(world, tessera::cut_into_tiles(count, 1),
                               {std::abs(GetParam()), {}, true, GetParam() < 0});
        tessera::NoJournal<std::int64_t> journal;
        tessera::TileRun<std::int64_t> mine;
        world.together([&] { mine = run_tiles(workload, tiles, journal); });
        return mine;
    }
    void expect_whole(const tessera::TileRun<std::int64_t>& mine) {
        const auto all = gather_by_tile(world, mine.partials, count);
        for (std::size_t i = 0; i < all.size(); ++i)
            EXPECT_EQ(all[i].records.at(0), static_cast<std::int64_t>(i));
    }
    /// The line that all ranks end with.
    std::string line_of_failing_run(FailingWorkload workload, ExitCode code) {
        try {
            run(workload);
        } catch (const tessera::mpi::SharedError& error) {
            EXPECT_EQ(error.code(), code);
            return error.what();
        }
        return "no error";
    }
    const Communicator world = Communicator::world();
    const int rank = world.rank();
};

TEST_P(HandingOn, TilesThatFailOnOneRankAreDoneByOthers) {
    if (world.size() == 1) GTEST_SKIP() << "there is no other rank";
    FailingWorkload workload{[&](std::int64_t tile, int) -> std::optional<Reason> {
        // Three reasons, each on all ranks but the first.
        if (rank != 0 && tile % 20 == 7) return Reason::out_of_memory;
        if (rank == world.size() - 1 && tile % 20 == 9) return Reason::not_finite;
        return std::nullopt;
    }};
    const auto mine = run(workload);
    expect_whole(mine);
    EXPECT_FALSE(mine.device_lost);
    for (const auto& retry : mine.retries) {
        EXPECT_EQ(retry.outcome.str(), "handed on");
        EXPECT_EQ(retry.detail.str(), "as the test wants it");
        EXPECT_NE(rank, 0);
    }
}

TEST_P(HandingOn, ALostDeviceLeavesItsTilesToOthers) {
    if (world.size() == 1) GTEST_SKIP() << "there is no other rank";
    for (const int dying : {0, world.size() - 1}) {
        FailingWorkload workload{[&](std::int64_t, int computed) -> std::optional<Reason> {
            if (rank == dying && computed == 2) return Reason::device_lost;
            return std::nullopt;
        }};
        const auto mine = run(workload);
        expect_whole(mine);
        if (rank == dying && mine.device_lost) {
            EXPECT_EQ(mine.tiles_done, 2);
            ASSERT_EQ(mine.retries.size(), 1u);
            EXPECT_EQ(mine.retries[0].reason.str(), "device lost");
        } else {
            EXPECT_TRUE(mine.retries.empty());
        }
    }
}

TEST_P(HandingOn, OneRankMayDoEverything) {
    // All others lose their devices at once, whole nodes with them.
    FailingWorkload workload{[&](std::int64_t, int) -> std::optional<Reason> {
        if (rank != world.size() - 1) return Reason::device_error;
        return std::nullopt;
    }};
    const auto mine = run(workload);
    expect_whole(mine);
    if (rank != world.size() - 1) {
        EXPECT_EQ(mine.tiles_done, 0);
        EXPECT_LE(mine.retries.size(), 8u);  // then it leaves the tiles to others
    }
}

TEST_P(HandingOn, ATileThatFailsEverywhereEndsTheRun) {
    const std::string line =
        line_of_failing_run({[](std::int64_t tile, int) -> std::optional<Reason> {
                                if (tile == 13) return Reason::not_finite;
                                return std::nullopt;
                            }},
                            ExitCode::numerics);
    // Three ranks are enough to know, but a fourth may have begun by then.
    const auto expected = [](int ranks) {
        return "tile 13 (work items 13 to 13) failed" +
               (ranks > 1 ? " on " + std::to_string(ranks) + " ranks" : std::string()) +
               ": not finite (as the test wants it): check the input for extreme values";
    };
    const std::string told = line.substr(0, line.find(" [rank"));
    if (told != expected(4)) {
        EXPECT_EQ(told, expected(std::min(world.size(), 3)));
    }
}

TEST_P(HandingOn, WithoutAnyDeviceTheRunEnds) {
    const std::string line =
        line_of_failing_run({[](std::int64_t, int) { return std::optional(Reason::device_lost); }},
                            ExitCode::resources);
    EXPECT_NE(line.find("device lost"), std::string::npos) << line;
}

TEST_P(HandingOn, RanksStayWhileATileMayComeBack) {
    if (world.size() == 1) GTEST_SKIP() << "there is no other rank";
    // The last tile is slow on the rank that gets it first, and fails there.
    FailingWorkload workload{[&](std::int64_t tile, int) -> std::optional<Reason> {
        if (tile != count - 1 || rank == 0) return std::nullopt;
        std::this_thread::sleep_for(std::chrono::milliseconds(150));
        return Reason::out_of_memory;
    }};
    const auto mine = run(workload);
    expect_whole(mine);
}

TEST_P(HandingOn, ManyFailuresAtOnce) {
    // Each tile fails on all ranks but one.
    const auto able = [&](std::int64_t tile) { return tile % world.size(); };
    FailingWorkload workload{[&](std::int64_t tile, int) -> std::optional<Reason> {
        if (able(tile) != rank) return Reason::out_of_memory;
        return std::nullopt;
    }};
    // A rank may leave after eight failures in a row; then its tiles are hopeless, which is told.
    try {
        const auto mine = run(workload);
        for (const auto& partial : mine.partials) EXPECT_EQ(able(partial.id.value), rank);
        expect_whole(mine);
    } catch (const tessera::mpi::SharedError& error) {
        EXPECT_EQ(error.code(), ExitCode::resources) << error.what();
        EXPECT_GT(world.size(), 1);
    }
}

INSTANTIATE_TEST_SUITE_P(RanksPerFakeNode, HandingOn, testing::Values(0, 1, 2, -1),
                         [](const auto& info) {
                             if (info.param < 0) return std::string("ByMessages");
                             return info.param == 0 ? std::string("RealNode")
                                                    : std::to_string(info.param) + "PerNode";
                         });

}  // namespace
