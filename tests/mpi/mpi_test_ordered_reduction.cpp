// Run on 1, 2, 3 and 4 ranks.
#include "mpi/collectives/ordered_reduction.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "support/keyed_sums.hpp"

namespace {

using namespace tessera;
using mpi::Communicator;
using mpi::KeyedSums;

struct Held {
    std::vector<std::vector<SumPair>> arrays;
    std::vector<KeyedSums> sums;
};

Held held_by(const Communicator& ranks, std::int64_t keys, std::size_t count, Dealing dealing) {
    Held held;
    std::vector<std::int64_t> mine;
    for (std::int64_t key = keys - 1; key >= 0; --key)  // the order of arrival must not matter
        if (holder_of(key, keys, ranks.size(), dealing) == ranks.rank()) mine.push_back(key);
    for (const std::int64_t key : mine) held.arrays.push_back(contribution_of(key, count));
    for (std::size_t i = 0; i < mine.size(); ++i)
        held.sums.push_back({{mine[i], 0}, held.arrays[i].data()});
    return held;
}

/// The sum of arrays in host memory, which MPI reads directly.
void all_reduce(const Communicator& ranks, std::span<const KeyedSums> sums, std::int64_t keys,
                std::size_t count, SumPair* result, const mpi::ReductionOptions& options = {}) {
    HostOperations host;
    mpi::MpiExchange exchange(ranks, host, false);
    mpi::OrderedReduction(ranks, exchange, host, options).all_reduce(sums, keys, count, result);
}

mpi::ElementRange reduce_scatter(const Communicator& ranks, std::span<const KeyedSums> sums,
                                 std::int64_t keys, std::size_t count, SumPair* share,
                                 const mpi::ReductionOptions& options) {
    HostOperations host;
    mpi::MpiExchange exchange(ranks, host, false);
    return mpi::OrderedReduction(ranks, exchange, host, options)
        .reduce_scatter(sums, keys, count, share);
}

void expect_bits(const SumPair* found, const SumPair* expected, std::size_t count) {
    EXPECT_EQ(std::memcmp(found, expected, count * sizeof(SumPair)), 0);
}

constexpr Dealing dealings[] = {Dealing::round_robin, Dealing::blocks, Dealing::one_rank,
                                Dealing::shuffled};

TEST(OrderedReduction, EveryRankHasTheBitsOfTheSerialSum) {
    const Communicator world = Communicator::world();
    for (const std::int64_t keys : {1, 2, 5, 8, 21})
        for (const std::size_t count : {1u, 3u, 1000u}) {
            const auto expected = expected_sum(keys, count);
            for (const Dealing dealing : dealings)
                for (const std::size_t piece : {7u, 1u << 20}) {
                    Held held = held_by(world, keys, count, dealing);
                    std::vector<SumPair> result(count, {1e300, 1e300});
                    all_reduce(world, held.sums, keys, count, result.data(), {piece});
                    expect_bits(result.data(), expected.data(), count);
                }
        }
}

TEST(OrderedReduction, SharesOfAllRanksAreTheWhole) {
    const Communicator world = Communicator::world();
    constexpr std::size_t count = 517;
    constexpr std::int64_t keys = 6;
    const auto expected = expected_sum(keys, count);
    Held held = held_by(world, keys, count, Dealing::shuffled);
    std::vector<SumPair> share(mpi::share_of(count, world.rank(), world.size()).size());
    const auto range = reduce_scatter(world, held.sums, keys, count, share.data(), {20});
    ASSERT_EQ(range.size(), share.size());
    expect_bits(share.data(), expected.data() + range.begin, range.size());
    EXPECT_EQ(world.allreduce_sum(static_cast<std::int64_t>(range.size())), 517);
    std::size_t end = 0;
    for (int rank = 0; rank < world.size(); ++rank) {
        EXPECT_EQ(mpi::share_of(count, rank, world.size()).begin, end);
        end = mpi::share_of(count, rank, world.size()).end;
    }
    EXPECT_EQ(end, count);
}

TEST(OrderedReduction, LittleRoomCutsPiecesButNotBits) {
    const Communicator world = Communicator::world();
    constexpr std::size_t count = 300;
    const auto expected = expected_sum(9, count);
    Held held = held_by(world, 9, count, Dealing::round_robin);
    std::vector<SumPair> result(count);
    all_reduce(world, held.sums, 9, count, result.data(), {1000, 4096});
    expect_bits(result.data(), expected.data(), count);
}

TEST(OrderedReduction, SumsOfSomeKeysMayBeBroughtJoined) {
    const Communicator world = Communicator::world();
    constexpr std::size_t count = 40;
    constexpr std::int64_t keys = 7;
    std::vector<SumPair> left = sum_of_node({0, 2}, keys, count),
                         right = sum_of_node({1, 2}, keys, count);
    std::vector<KeyedSums> sums;
    if (world.rank() == 0) sums.push_back({{0, 2}, left.data()});
    if (world.rank() == world.size() - 1) sums.push_back({{1, 2}, right.data()});
    std::vector<SumPair> result(count);
    all_reduce(world, sums, keys, count, result.data());
    expect_bits(result.data(), expected_sum(keys, count).data(), count);
}

TEST(OrderedReduction, MissingAndDoubledKeysAreErrorsOnAllRanks) {
    const Communicator world = Communicator::world();
    std::vector<SumPair> array(10), result(10);
    std::vector<KeyedSums> sums;
    if (world.is_root()) sums.push_back({{0, 0}, array.data()});
    EXPECT_THROW(all_reduce(world, sums, 2, 10, result.data()), mpi::SharedError);
    sums.assign(1, {{0, 0}, array.data()});
    if (world.size() > 1) {
        EXPECT_THROW(all_reduce(world, sums, 1, 10, result.data()), mpi::SharedError);
        // A rank that speaks of another sum.
        EXPECT_THROW(all_reduce(world, sums, world.is_root() ? 2 : 1, 10, result.data()),
                     mpi::SharedError);
    }
    // The communicator is as good as before.
    EXPECT_EQ(world.allreduce_sum(1), world.size());
}

TEST(OrderedReduction, CancellationIsSurvived) {
    const Communicator world = Communicator::world();
    // 1e16 + 1 - 1e16, key by key: plain sums lose the 1.
    const double terms[] = {1e16, 1, -1e16, 3};
    std::vector<std::vector<SumPair>> arrays;
    std::vector<KeyedSums> sums;
    for (std::int64_t key = 0; key < 4; ++key)
        if (key % world.size() == world.rank()) {
            arrays.push_back({SumPair{terms[key], 0}});
            sums.push_back({{key, 0}, nullptr});
        }
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i].values = arrays[i].data();
    SumPair result;
    all_reduce(world, sums, 4, 1, &result);
    EXPECT_EQ(result.result(), 4.0);
}

}  // namespace
