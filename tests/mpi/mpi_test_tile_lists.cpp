// Run on 1, 2, 3 and 4 ranks.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <thread>

#include "mpi/scheduling/tile_lists.hpp"

namespace {

using tessera::mpi::Communicator;
using tessera::mpi::ListRange;
using tessera::mpi::TileLists;

/// List and position in one number.
std::int64_t item(int list, std::int64_t position) { return list * 1'000'000LL + position; }

/// What this rank did with the lists, as a run does it.
struct Work {
    std::vector<std::int64_t> items, owned, helped;
};

void take_all(TileLists& lists, int list, std::int64_t most, Work& work,
              std::chrono::microseconds pause) {
    while (const auto range = lists.take(list, most))
        for (std::int64_t i = range->begin; i < range->end; ++i) {
            work.items.push_back(item(list, i));
            std::this_thread::sleep_for(pause);
        }
}

Work drain(TileLists& lists, std::int64_t most, std::chrono::microseconds pause = {}) {
    Work work;
    while (const auto list = lists.claim()) {
        work.owned.push_back(*list);
        lists.enter(*list);
        take_all(lists, *list, most, work, pause);
        lists.leave(*list);
    }
    while (const auto list = lists.join()) {
        work.helped.push_back(*list);
        take_all(lists, *list, most, work, pause);
        lists.leave(*list);
    }
    return work;
}

std::vector<std::int64_t> sorted_on_root(const Communicator& world,
                                         const std::vector<std::int64_t>& mine) {
    auto all = world.gather(mine);
    std::sort(all.begin(), all.end());
    return all;
}

void expect_everything_once(const std::vector<std::int64_t>& lengths,
                            const std::vector<int>& groups, std::int64_t most) {
    const Communicator world = Communicator::world();
    TileLists lists(world, lengths, groups);
    const Work work = drain(lists, most);
    std::vector<std::int64_t> items, owned;
    std::int64_t total = 0;
    for (int list = 0; list < static_cast<int>(lengths.size()); ++list) {
        owned.push_back(list);
        total += lengths[static_cast<std::size_t>(list)];
        for (std::int64_t i = 0; i < lengths[static_cast<std::size_t>(list)]; ++i)
            items.push_back(item(list, i));
    }
    const auto all_items = sorted_on_root(world, work.items);
    const auto all_owned = sorted_on_root(world, work.owned);
    EXPECT_EQ(lists.tiles_taken(), total);
    if (!world.is_root()) return;
    EXPECT_EQ(all_items, items);
    EXPECT_EQ(all_owned, owned);
}

TEST(TileLists, EveryPositionOnce) {
    expect_everything_once({}, {}, 1);
    expect_everything_once({5}, {1}, 2);
    expect_everything_once({3, 0, 7, 1}, {1, 1, 1, 1}, 4);
    expect_everything_once({40, 30, 20, 10, 50, 60}, {2, 3, 1}, 3);
    expect_everything_once(std::vector<std::int64_t>(100, 50), std::vector<int>(50, 2), 1);
    expect_everything_once(std::vector<std::int64_t>(900, 3), std::vector<int>(300, 3), 2);
}

TEST(TileLists, HelpersKnowTheOwner) {
    const Communicator world = Communicator::world();
    TileLists lists(world, {200}, {1});
    // Rank 0 claims before the others look.
    if (world.is_root()) {
        ASSERT_EQ(lists.claim(), 0);
    }
    world.barrier();
    if (world.is_root()) {
        EXPECT_EQ(lists.owner(0), 0);
    } else {
        EXPECT_FALSE(lists.claim().has_value());
        ASSERT_EQ(lists.join(), 0);
        EXPECT_EQ(lists.owner(0), 0);
        lists.leave(0);
    }
    world.barrier();
}

TEST(TileLists, HelpersSpreadOverTheLists) {
    const Communicator world = Communicator::world();
    if (world.size() < 3) GTEST_SKIP() << "needs 3 ranks";
    const int helpers = world.size() - 1;
    TileLists lists(world, std::vector<std::int64_t>(static_cast<std::size_t>(helpers), 100),
                    {helpers});
    if (world.is_root()) {
        EXPECT_EQ(lists.claim(), 0);
    }
    world.barrier();
    std::vector<std::int64_t> joined;
    for (int rank = 1; rank < world.size(); ++rank) {  // one after another
        if (world.rank() == rank) joined.push_back(lists.join().value_or(-1));
        world.barrier();
    }
    const auto all = sorted_on_root(world, joined);
    if (world.is_root()) {
        for (int i = 0; i < helpers; ++i) EXPECT_EQ(all.at(static_cast<std::size_t>(i)), i);
    }
}

TEST(TileLists, AClosedListIsLeftAndTheOthersAreNot) {
    const Communicator world = Communicator::world();
    TileLists lists(world, {1000, 10}, {1, 1});
    if (world.is_root()) lists.close(0);
    world.barrier();
    const auto items = sorted_on_root(world, drain(lists, 1).items);
    if (!world.is_root()) return;
    ASSERT_EQ(items.size(), 10U);
    EXPECT_EQ(items.front(), item(1, 0));
}

TEST(TileLists, AStopReachesEveryRank) {
    const Communicator world = Communicator::world();
    TileLists lists(world, std::vector<std::int64_t>(20, 1000), std::vector<int>(20, 1));
    EXPECT_FALSE(lists.state().stopped);
    world.barrier();
    if (world.rank() == world.size() - 1) lists.stop();
    world.barrier();
    EXPECT_TRUE(lists.state().stopped);
    EXPECT_TRUE(drain(lists, 10).items.empty());
}

/// Requests of this rank for a stop, and for noticing it.
std::int64_t requests_of_a_stop(const Communicator& world, std::size_t count) {
    TileLists lists(world, std::vector<std::int64_t>(count, 1000), std::vector<int>(count, 1));
    EXPECT_TRUE(lists.claim());
    world.barrier();
    const std::int64_t before = lists.traffic().requests;
    lists.stop();
    EXPECT_TRUE(lists.state().stopped);
    EXPECT_FALSE(lists.claim());
    EXPECT_FALSE(lists.join());
    const std::int64_t requests = lists.traffic().requests - before;
    world.barrier();
    EXPECT_FALSE(lists.take(world.rank(), 5));
    world.barrier();
    EXPECT_EQ(lists.tiles_taken(), 0);
    return requests;
}

TEST(TileLists, AStopOfAMillionListsCostsNoMoreThanOneOfTen) {
    const Communicator world = Communicator::world();
    EXPECT_EQ(requests_of_a_stop(world, 10), 4);  // one for each call
    EXPECT_EQ(requests_of_a_stop(world, 1'000'000), 4);
}

/// Lists that have been worked through, apart from the ones in `open`.
void exhaust(TileLists& lists, std::size_t count, const std::vector<int>& open) {
    while (lists.claim()) {
    }
    for (int list = 0; list < static_cast<int>(count); ++list)
        if (std::find(open.begin(), open.end(), list) == open.end()) lists.take(list, 5);
}

TEST(TileLists, AHelperReadsOpenBlocksAlone) {
    const Communicator world = Communicator::world();
    constexpr std::size_t count = 10'000;
    TileLists lists(world, std::vector<std::int64_t>(count, 5), {static_cast<int>(count)});
    const std::vector<int> open{0, 4999, 9999};
    if (world.is_root()) exhaust(lists, count, open);
    world.barrier();
    const std::int64_t before = lists.traffic().counters;
    const auto list = lists.join();
    ASSERT_TRUE(list);
    EXPECT_TRUE(std::find(open.begin(), open.end(), *list) != open.end()) << *list;
    // 5 counters of the run, 40 of blocks, three of each list in three blocks, and one to enter.
    EXPECT_LE(lists.traffic().counters - before, 5 + 40 + 3 * 256 * 3 + 1);
    world.barrier();
    for (const int last : open) lists.close(last);  // by every rank, counted once
    world.barrier();
    const std::int64_t requests = lists.traffic().requests;
    EXPECT_FALSE(lists.join());
    EXPECT_EQ(lists.traffic().requests - requests, 1);  // no block is open
    world.barrier();
}

TEST(TileLists, HelpersOfManyListsEmptyThemAll) {
    const Communicator world = Communicator::world();
    constexpr int count = 3000;
    TileLists lists(world, std::vector<std::int64_t>(count, 2), {count});
    if (world.is_root()) {
        EXPECT_EQ(lists.claim(), 0);  // and the rest of its group
    }
    world.barrier();
    std::vector<std::int64_t> items;
    while (const auto list = lists.join()) {
        while (const auto range = lists.take(*list, 1)) items.push_back(item(*list, range->begin));
        lists.leave(*list);
    }
    const auto all = sorted_on_root(world, items);
    if (world.is_root()) {
        ASSERT_EQ(all.size(), 2U * count);
        for (int list = 0; list < count; ++list)
            EXPECT_EQ(all[2 * static_cast<std::size_t>(list) + 1], item(list, 1));
    }
}

TEST(TileLists, ASlowRankHoldsNothingUp) {
    const Communicator world = Communicator::world();
    if (world.size() == 1) GTEST_SKIP() << "needs ranks";
    TileLists lists(world, std::vector<std::int64_t>(4, 50), std::vector<int>(4, 1));
    world.barrier();
    const bool slow = world.rank() == 1;
    const Work work = drain(lists, 1, std::chrono::microseconds(slow ? 20000 : 100));
    const auto mine =
        world.gather(std::vector<std::int64_t>{static_cast<std::int64_t>(work.items.size())});
    if (world.is_root()) {
        EXPECT_LT(mine[1], 50);
        EXPECT_EQ(std::accumulate(mine.begin(), mine.end(), std::int64_t{0}), 200);
    }
}

TEST(TileLists, AreAllSettledWhenEachIsCountedOnce) {
    const Communicator world = Communicator::world();
    TileLists lists(world, {2, 1, 3}, {1, 1, 1});
    int owned = 0;
    while (lists.claim()) ++owned;
    EXPECT_FALSE(owned > 0 && lists.state().all_settled);  // its own are not
    for (int list = 0; list < owned; ++list) lists.settle();
    world.barrier();
    EXPECT_TRUE(lists.state().all_settled);
}

TEST(TileLists, ARankThatLeavesClaimsNoFurtherGroup) {
    const Communicator world = Communicator::world();
    const auto groups = static_cast<std::size_t>(world.size()) + 1;
    TileLists lists(world, std::vector<std::int64_t>(2 * groups, 1), std::vector<int>(groups, 2));
    const int last = world.size() - 1;
    if (world.rank() == last) {
        ASSERT_EQ(lists.claim(), 0);
        EXPECT_EQ(lists.leave_for_good(), 1);
    }
    world.barrier();
    for (int rank = 0; rank < world.size(); ++rank) EXPECT_EQ(lists.is_gone(rank), rank == last);
    EXPECT_EQ(lists.all_gone(), world.size() == 1);
    std::vector<std::int64_t> owned;
    while (const auto list = lists.claim()) owned.push_back(*list);
    if (world.rank() == last) {
        EXPECT_EQ(owned, std::vector<std::int64_t>{1});  // of the group that it had
    }
    const auto all = sorted_on_root(world, owned);
    if (world.is_root() && world.size() > 1) {
        EXPECT_EQ(all.size(), 2 * groups - 1);
    }
    world.barrier();
    if (world.rank() != last) lists.leave_for_good();
    world.barrier();
    EXPECT_TRUE(lists.all_gone());
}

}  // namespace
