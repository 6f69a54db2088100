// Run on 1, 2, 3 and 4 ranks: how well tiles are spread, in a time that only the test knows. Ranks
// take turns in the order of their clocks, so that the iterator decides as it would if tiles took
// so long, and always the same.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "mpi/communicator.hpp"
#include "mpi/scheduling/node_tile_iterator.hpp"

namespace {

using namespace tessera;
using mpi::Communicator;

constexpr double out = std::numeric_limits<double>::infinity();

/// The clocks of all ranks go from rank to rank; who has them is the one whose clock is least.
class Turns {
  public:
    explicit Turns(const Communicator& world)
        : world_(world.duplicate()),
          clocks_(static_cast<std::size_t>(world.size()), 0),
          mine_(world.is_root()) {}

    void wait() {
        while (!mine_) {
            int arrived = 0;
            MPI_Iprobe(MPI_ANY_SOURCE, 0, world_.handle(), &arrived, MPI_STATUS_IGNORE);
            if (arrived == 0) {
                std::this_thread::sleep_for(std::chrono::microseconds(20));
                continue;
            }
            MPI_Recv(clocks_.data(), world_.size(), MPI_DOUBLE, MPI_ANY_SOURCE, 0, world_.handle(),
                     MPI_STATUS_IGNORE);
            mine_ = true;
        }
    }

    /// This rank's next turn is at `clock`; `out`: it needs none.
    void pass(double clock) {
        clocks_[static_cast<std::size_t>(world_.rank())] = clock;
        const auto least = std::min_element(clocks_.begin(), clocks_.end());
        const int next = static_cast<int>(least - clocks_.begin());
        if (*least == out || next == world_.rank()) return;
        mine_ = false;
        MPI_Send(clocks_.data(), world_.size(), MPI_DOUBLE, next, 0, world_.handle());
    }

  private:
    Communicator world_;
    std::vector<double> clocks_;
    bool mine_;
};

/// 1 ± 10 %.
double time_of(const Tile& tile) {
    std::mt19937_64 random(static_cast<std::uint64_t>(tile.id.value));
    return 0.9 + 0.2 * std::generate_canonical<double, 53>(random);
}

struct Share {
    double end = 0;  ///< of the last tile
    std::int64_t tiles = 0;
};

/// Collective. This rank's tiles, each `slowness` times as long as on the others.
Share take_all(const Communicator& world, const std::vector<Tile>& all, double slowness,
               int ranks_per_node) {
    mpi::NodeTileOptions options;
    options.ranks_per_fake_node = ranks_per_node;
    options.answer_while_computing = false;  // the turns are MPI calls, too
    mpi::NodeTileIterator tiles(world, all, options);
    Turns turns(world);
    Share share;
    bool idle = false;
    tiles.while_waiting([&] {
        if (!idle) turns.pass(out);
        idle = true;
    });
    turns.wait();
    while (const auto tile = tiles.next()) {
        share.end += slowness * time_of(*tile);
        ++share.tiles;
        turns.pass(share.end);
        turns.wait();
    }
    if (!idle) turns.pass(out);
    return share;
}

struct Outcome {
    double over_ideal = 0;  ///< time over that of the summed rates
    double tail_idle = 0;   ///< share of all ranks' time between their ends and the last one
    std::vector<std::int64_t> tiles;
};

/// Collective. The last rank is `slowness` times slower than the others.
Outcome outcome_of(const Communicator& world, std::int64_t tiles_a_rank, double slowness,
                   int ranks_per_node) {
    const auto all = cut_into_tiles(tiles_a_rank * world.size(), 1);
    const bool slow = world.rank() == world.size() - 1;
    const Share mine = take_all(world, all, slow ? slowness : 1, ranks_per_node);
    const std::vector<double> ends = world.allgather(mine.end);
    const double work =
        std::accumulate(all.begin(), all.end(), 0.0,
                        [](double sum, const Tile& tile) { return sum + time_of(tile); });
    const double last = *std::max_element(ends.begin(), ends.end());
    Outcome outcome{last / (work / (world.size() - 1 + 1 / slowness)), 0,
                    world.allgather(mine.tiles)};
    for (const double end : ends) outcome.tail_idle += (1 - end / last) / world.size();
    return outcome;
}

class VirtualTime : public testing::TestWithParam<int> {};

TEST_P(VirtualTime, ASlowRankCostsNoOneElseTime) {
    const auto world = Communicator::world();
    for (const double slowness : {4.0, 1.0}) {
        const Outcome outcome = outcome_of(world, 200, slowness, GetParam());
        EXPECT_EQ(std::accumulate(outcome.tiles.begin(), outcome.tiles.end(), std::int64_t{0}),
                  200 * world.size());
        // What is asked for is 1.05 and 0.02. The last tile of the slow rank alone may cost 0.016
        // of three.
        EXPECT_LE(outcome.over_ideal, 1.02) << "one rank " << slowness << " times slower";
        EXPECT_LE(outcome.tail_idle, 0.012) << "one rank " << slowness << " times slower";
        EXPECT_EQ(outcome_of(world, 200, slowness, GetParam()).tiles, outcome.tiles)
            << "another schedule in the same time";
    }
}

INSTANTIATE_TEST_SUITE_P(OnOneNodeAndOnNodesOfTwoAndOfOne, VirtualTime, testing::Values(0, 2, 1));

}  // namespace
