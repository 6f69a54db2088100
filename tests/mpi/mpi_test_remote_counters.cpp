// Run on 1, 2, 3 and 4 ranks, and over the transports of tests/mpi_tests.cmake.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "mpi/communicator.hpp"
#include "mpi/window.hpp"

namespace {

using tessera::mpi::Communicator;
using tessera::mpi::RemoteCounters;

struct RemoteCountersTest : testing::Test {
    const Communicator world = Communicator::world();
    RemoteCounters counters{world, std::vector<std::int64_t>(8, 0),
                            /*as_between_machines=*/world.size() > 1};

    /// Until another rank has changed it.
    void wait_for(int counter, std::int64_t value) {
        while (counters.read(counter) != value) counters.wait_for_others();
    }
};

TEST_F(RemoteCountersTest, AllRanksWaitForWhatTheLastOneWrites) {
    for (std::int64_t turn = 1; turn <= 20; ++turn) {
        if (world.rank() == world.size() - 1) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            EXPECT_EQ(counters.replace(0, turn), turn - 1);
        }
        wait_for(0, turn);
        world.barrier();
    }
}

TEST_F(RemoteCountersTest, NoChangeIsLostAmongChangesOfOneAndOfAll) {
    const std::int64_t turns = 20;
    for (std::int64_t turn = 0; turn < turns; ++turn) {
        counters.fetch_add(1, 1);
        counters.add_to_all({1, 1, 2});
    }
    wait_for(1, 2 * turns * world.size());
    wait_for(2, 2 * turns * world.size());
    EXPECT_EQ(counters.read_first(3),
              (std::vector<std::int64_t>{turns * world.size(), 2 * turns * world.size(),
                                         2 * turns * world.size()}));
}

}  // namespace
