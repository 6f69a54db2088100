#include "engine/run_tiles.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace {

using tessera::Error;
using tessera::ExitCode;
using tessera::Tile;
using tessera::TileFailure;
using tessera::TileId;
using tessera::TilePartial;

/// Hands out a list.
struct ListSource {
    std::vector<Tile> tiles;
    std::size_t position = 0;
    bool abandoned = false;

    std::optional<Tile> next() {
        if (abandoned || position == tiles.size()) return std::nullopt;
        return tiles[position++];
    }
    void abandon() { abandoned = true; }
};

/// A journal in memory that outlives a run_tiles call.
struct MemoryJournal {
    std::map<TileId, TilePartial<double>> done;
    std::vector<TilePartial<double>> from_before;

    bool contains(TileId id) const { return done.contains(id); }
    void append(const TilePartial<double>& partial) { done[partial.id] = partial; }
    std::vector<TilePartial<double>> restored() const { return from_before; }
    void restart() {
        from_before.clear();
        for (const auto& [id, partial] : done) from_before.push_back(partial);
    }
};

/// Sums i over the tile; tiles listed in `fails` fail once, those in `always` every time.
struct Workload {
    using Payload = double;
    std::set<std::int64_t> fails, always;
    TileFailure::Reason reason = TileFailure::Reason::out_of_memory;
    std::vector<std::int64_t> computed;
    int smaller_runs = 0;

    TilePartial<double> sum(const Tile& tile) {
        computed.push_back(tile.id.value);
        double total = 0;
        for (std::int64_t i = tile.begin; i < tile.end; ++i) total += static_cast<double>(i);
        return {tile.id, {total}};
    }
    TilePartial<double> run(const Tile& tile) {
        if (fails.contains(tile.id.value) || always.contains(tile.id.value))
            throw TileFailure(reason, "7 GiB wanted, 5 GiB free");
        return sum(tile);
    }
    TilePartial<double> run_smaller(const Tile& tile) {
        ++smaller_runs;
        if (always.contains(tile.id.value)) throw TileFailure(reason, "6 GiB wanted, 5 GiB free");
        return sum(tile);
    }
};

ListSource ten_tiles() { return {tessera::cut_into_tiles(100, 10)}; }

double total(const tessera::TileRun<double>& run) {
    double sum = 0;
    for (const auto& partial : run.partials) sum += partial.records.at(0);
    return sum;
}

TEST(RunTiles, RunsEveryTileOnceAndTicks) {
    Workload workload;
    ListSource source = ten_tiles();
    MemoryJournal journal;
    int ticks = 0;
    const auto run = tessera::run_tiles(workload, source, journal, {nullptr, [&] { ++ticks; }});
    EXPECT_EQ(run.tiles_done, 10);
    EXPECT_EQ(run.tiles_resumed, 0);
    EXPECT_FALSE(run.stopped);
    EXPECT_EQ(ticks, 10);
    EXPECT_EQ(total(run), 4950);  // 0 + 1 + … + 99
    EXPECT_EQ(journal.done.size(), 10u);
    EXPECT_GE(run.busy_seconds, 0);
}

TEST(RunTiles, NoTiles) {
    Workload workload;
    ListSource source;
    tessera::NoJournal<double> journal;
    const auto run = tessera::run_tiles(workload, source, journal);
    EXPECT_EQ(run.tiles_done, 0);
    EXPECT_TRUE(run.partials.empty());
}

TEST(RunTiles, StopsBetweenTilesAndResumesWithTheSameSum) {
    Workload workload;
    MemoryJournal journal;
    std::atomic<bool> stop{false};
    {
        ListSource source = ten_tiles();
        const auto stop_after_four = [&] { stop = workload.computed.size() == 4; };
        const auto run = tessera::run_tiles(workload, source, journal, {&stop, stop_after_four});
        EXPECT_TRUE(run.stopped);
        EXPECT_EQ(run.tiles_done, 4);
        EXPECT_TRUE(source.abandoned);
        EXPECT_EQ(source.position, 4u);  // no tile was drawn in vain
    }
    journal.restart();
    ListSource source = ten_tiles();
    const auto run = tessera::run_tiles(workload, source, journal);
    EXPECT_EQ(run.tiles_resumed, 4);
    EXPECT_EQ(run.tiles_done, 6);
    EXPECT_EQ(total(run), 4950);
    EXPECT_EQ(workload.computed.size(), 10u);  // nothing twice
}

TEST(RunTiles, AFailedTileIsRetriedSmallerAndRecorded) {
    Workload workload;
    workload.fails = {3, 7};
    ListSource source = ten_tiles();
    tessera::NoJournal<double> journal;
    const auto run = tessera::run_tiles(workload, source, journal);
    EXPECT_EQ(total(run), 4950);
    EXPECT_EQ(workload.smaller_runs, 2);
    ASSERT_EQ(run.retries.size(), 2u);
    EXPECT_EQ(run.retries[0].tile, 3);
    EXPECT_EQ(run.retries[1].tile, 7);
    EXPECT_EQ(run.retries[0].reason.str(), "out of memory");
    EXPECT_EQ(run.retries[0].detail.str(), "7 GiB wanted, 5 GiB free");
}

TEST(RunTiles, ASecondFailureEndsTheRunAndNamesTheTile) {
    Workload workload;
    workload.always = {5};
    ListSource source = ten_tiles();
    MemoryJournal journal;
    try {
        tessera::run_tiles(workload, source, journal);
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(),
                     "tile 5 (work items 50 to 59) failed: out of memory, again with a smaller "
                     "batch (6 GiB wanted, 5 GiB free): use a device with more free memory or "
                     "another --device");
        EXPECT_EQ(error.code(), ExitCode::resources);
    }
    EXPECT_TRUE(source.abandoned);
    EXPECT_EQ(journal.done.size(), 5u);  // what was finished is kept
}

TEST(RunTiles, ValuesThatAreNotFiniteGiveTheirExitCode) {
    Workload workload;
    workload.always = {0};
    workload.reason = TileFailure::Reason::not_finite;
    ListSource source = ten_tiles();
    tessera::NoJournal<double> journal;
    try {
        tessera::run_tiles(workload, source, journal);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::numerics);
    }
}

struct OneSizeWorkload {
    using Payload = double;
    int runs = 0;
    TilePartial<double> run(const Tile&) {
        ++runs;
        throw std::bad_alloc();
    }
};

TEST(RunTiles, WithoutASmallerRunTheFirstFailureCounts) {
    OneSizeWorkload workload;
    ListSource source = ten_tiles();
    tessera::NoJournal<double> journal;
    try {
        tessera::run_tiles(workload, source, journal);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::resources);
        EXPECT_NE(std::string(error.what()).find("no host memory left"), std::string::npos);
    }
    EXPECT_EQ(workload.runs, 1);
}

struct WrongIdWorkload {
    using Payload = double;
    TilePartial<double> run(const Tile&) { return {{99}, {1.0}}; }
};

TEST(RunTiles, APartialUnderAnotherIdIsAnError) {
    WrongIdWorkload workload;
    ListSource source = ten_tiles();
    MemoryJournal journal;
    EXPECT_THROW(tessera::run_tiles(workload, source, journal), Error);
    EXPECT_TRUE(journal.done.empty());
}

}  // namespace
