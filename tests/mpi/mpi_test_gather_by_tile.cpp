// Run on 1, 2, 3 and 4 ranks: the same bits for any number of ranks and any schedule.
#include <gtest/gtest.h>

#include <bit>
#include <chrono>
#include <cmath>
#include <thread>

#include "core/ordered_sum.hpp"
#include "engine/run_tiles.hpp"
#include "mpi/communicator.hpp"
#include "mpi/gather_by_tile.hpp"
#include "mpi/scheduling/node_tile_iterator.hpp"

namespace {

using tessera::CompensatedSum;
using tessera::Error;
using tessera::ordered_sum;
using tessera::Tile;
using tessera::TilePartial;
using tessera::mpi::Communicator;
using tessera::mpi::gather_by_tile;
using tessera::mpi::NodeTileIterator;
using tessera::mpi::NodeTileOptions;
using tessera::mpi::SharedError;

/// Term i of a sum of large terms of both signs with a small remainder.
double term(std::int64_t i) {
    const double size = std::ldexp(1.0, static_cast<int>((i * 37) % 60));
    return (i % 2 == 0 ? 1 : -1) * size * std::sin(0.7 * static_cast<double>(i) + 0.3);
}

struct SumWorkload {
    using Payload = CompensatedSum<double>;
    int slow_microseconds = 0;

    TilePartial<Payload> run(const Tile& tile) const {
        if (slow_microseconds > 0)
            std::this_thread::sleep_for(std::chrono::microseconds(slow_microseconds));
        Payload sum;
        for (std::int64_t i = tile.begin; i < tile.end; ++i) sum.add(term(i));
        return {tile.id, {sum}};
    }
};

const auto identity = [](const CompensatedSum<double>& sum) { return sum; };
constexpr std::int64_t items = 5003, tile_size = 16;

/// The same sum without ranks.
CompensatedSum<double> serial_sum() {
    std::vector<TilePartial<CompensatedSum<double>>> partials;
    for (const Tile& tile : tessera::cut_into_tiles(items, tile_size))
        partials.push_back(SumWorkload{}.run(tile));
    return ordered_sum(partials, identity);
}

CompensatedSum<double> distributed_sum(const Communicator& world, const NodeTileOptions& options,
                                       int slow_rank) {
    const auto tiles = tessera::cut_into_tiles(items, tile_size);
    NodeTileIterator iterator(world, tiles, options);
    SumWorkload workload{world.rank() == slow_rank ? 300 : 0};
    tessera::NoJournal<SumWorkload::Payload> journal;
    const auto run = tessera::run_tiles(workload, iterator, journal);
    const auto all = gather_by_tile(world, run.partials, static_cast<std::int64_t>(tiles.size()));
    return ordered_sum(all, identity);
}

void expect_same_bits(const CompensatedSum<double>& a, const CompensatedSum<double>& b) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(a.value), std::bit_cast<std::uint64_t>(b.value));
    EXPECT_EQ(std::bit_cast<std::uint64_t>(a.compensation),
              std::bit_cast<std::uint64_t>(b.compensation));
}

TEST(SameBits, OnAnyNumberOfRanksAndAnySchedule) {
    const Communicator world = Communicator::world();
    const auto expected = serial_sum();
    for (const int per_node : {0, 1, 2})
        for (const std::uint64_t seed : {0, 1, 2, 3}) {
            NodeTileOptions options{per_node, {}};
            if (seed > 0) options.shuffle_seed = seed;
            const int slow_rank = static_cast<int>(seed) % world.size();
            const auto sum = distributed_sum(world, options, slow_rank);
            if (world.is_root()) expect_same_bits(sum, expected);
        }
}

TEST(SameBits, TheSumIsIllConditioned) {
    // Otherwise the test above would prove little: naive summation in two orders differs.
    double forward = 0, backward = 0;
    for (std::int64_t i = 0; i < items; ++i) forward += term(i);
    for (std::int64_t i = items; i-- > 0;) backward += term(i);
    EXPECT_NE(forward, backward);
    long double reference = 0;
    for (std::int64_t i = 0; i < items; ++i) reference += term(i);
    EXPECT_LT(std::abs(static_cast<double>(serial_sum().result() - reference)),
              std::abs(static_cast<double>(forward - reference)));
}

struct Hit {
    std::int32_t tile;
    double value;
};

/// Tiles dealt out backwards; tile t holds t % 4 records.
std::vector<TilePartial<Hit>> dealt(const Communicator& world, std::int64_t tiles) {
    std::vector<TilePartial<Hit>> mine;
    for (std::int64_t t = tiles; t-- > 0;) {
        if (t % world.size() != world.rank()) continue;
        TilePartial<Hit> partial{{t}, {}};
        for (int r = 0; r < t % 4; ++r) partial.records.push_back({static_cast<int>(t), r + 0.25});
        mine.push_back(partial);
    }
    return mine;
}

TEST(GatherByTile, SortsWhateverComes) {
    Communicator world = Communicator::world();
    world.set_longest_message(100);
    const auto all = gather_by_tile(world, dealt(world, 23), 23);
    if (!world.is_root()) {
        EXPECT_TRUE(all.empty());
        return;
    }
    ASSERT_EQ(all.size(), 23u);
    for (int t = 0; t < 23; ++t) {
        const auto& partial = all[static_cast<std::size_t>(t)];
        EXPECT_EQ(partial.id.value, t);
        ASSERT_EQ(partial.records.size(), static_cast<std::size_t>(t % 4));
        for (int r = 0; r < t % 4; ++r) {
            EXPECT_EQ(partial.records[static_cast<std::size_t>(r)].tile, t);
            EXPECT_EQ(partial.records[static_cast<std::size_t>(r)].value, r + 0.25);
        }
    }
}

TEST(GatherByTile, NothingOutOfNothing) {
    const Communicator world = Communicator::world();
    EXPECT_TRUE(gather_by_tile(world, std::vector<TilePartial<Hit>>{}, 0).empty());
}

/// The line that gathering these partials ends with, on every rank.
std::string refusal(const Communicator& world, const std::vector<TilePartial<Hit>>& mine,
                    std::int64_t expected) {
    try {
        gather_by_tile(world, mine, expected);
    } catch (const SharedError& error) {
        EXPECT_EQ(error.code(), tessera::ExitCode::internal);
        return error.what();
    }
    return "";
}

TEST(GatherByTile, MissingDoubledAndUnknownTilesAreErrorsOnAllRanks) {
    const Communicator world = Communicator::world();
    auto mine = dealt(world, 9);
    EXPECT_NE(refusal(world, mine, 10).find("tile 9 is missing"), std::string::npos);
    EXPECT_NE(refusal(world, mine, 8).find("tile 8 is beyond the 8"), std::string::npos);
    auto doubled = mine;
    if (world.rank() == world.size() - 1) doubled.push_back({{4}, {}});
    EXPECT_NE(refusal(world, doubled, 9).find("tile 4 occurs twice"), std::string::npos);
    auto holed = mine;
    std::erase_if(holed, [](const auto& partial) { return partial.id.value == 3; });
    EXPECT_NE(refusal(world, holed, 9).find("tile 3 is missing"), std::string::npos);
    EXPECT_EQ(refusal(world, mine, 9), "");
}

struct WorkloadThatThrows {
    using Payload = Hit;
    bool fails = false;
    std::int64_t done = 0;
    TilePartial<Hit> run(const Tile& tile) {
        if (fails) throw Error("no luck", "score is NaN", "try", tessera::ExitCode::numerics);
        std::this_thread::sleep_for(std::chrono::microseconds(50));
        ++done;
        return {tile.id, {}};
    }
};

TEST(RunTiles, AFailureOnOneRankEndsTheRunOnAll) {
    const Communicator world = Communicator::world();
    NodeTileIterator iterator(world, tessera::cut_into_tiles(100000, 1));
    WorkloadThatThrows workload{world.rank() == world.size() - 1};
    tessera::NoJournal<Hit> journal;
    try {
        world.together([&] { tessera::run_tiles(workload, iterator, journal); });
        ADD_FAILURE() << "no error on rank " << world.rank();
    } catch (const SharedError& error) {
        const std::string line = error.what();
        EXPECT_EQ(line.substr(0, 27), "no luck (score is NaN): try") << line;
        EXPECT_EQ(error.code(), tessera::ExitCode::numerics);
    }
    // The others did not go on with a run that cannot be whole.
    EXPECT_LT(world.allreduce_sum(workload.done), 50000);
}

}  // namespace
