// What a rank that waits for another takes of its core. On 2 to 4 ranks.
#include <gtest/gtest.h>
#include <mpi.h>
#include <time.h>

#include <chrono>
#include <functional>
#include <thread>
#include <vector>

#include "mpi/communicator.hpp"
#include "mpi/waiting.hpp"
#include "mpi/window.hpp"

namespace {

using tessera::mpi::Communicator;

double core_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

constexpr double late =
    0.8;  // s: making a window takes a tenth of a second of a busy machine's core

/// The last rank comes `late` to `call`; no other may take a fifth of that time of its core. One
/// that spins takes all of it, or what it is given where ranks share cores.
void expect_asleep(const Communicator& world, const char* name, const std::function<void()>& call) {
    if (world.size() == 1) GTEST_SKIP() << "nobody to wait for";
    world.barrier();
    if (world.rank() == world.size() - 1)
        std::this_thread::sleep_for(std::chrono::duration<double>(late));
    const double before = core_seconds();
    call();
    const double taken = core_seconds() - before;
    EXPECT_LT(taken, late / 5) << name << " on rank " << world.rank();
}

TEST(Waiting, InCollectivesIsAsleep) {
    const Communicator world = Communicator::world();
    const int last = world.size() - 1;
    std::vector<double> values(world.rank() == last ? 10 : 0), many = values;
    if (world.rank() == last) many.resize(1 << 18);
    expect_asleep(world, "barrier", [&] { world.barrier(); });
    expect_asleep(world, "allreduce_sum", [&] { world.allreduce_sum(1); });
    expect_asleep(world, "allgather", [&] { world.allgather(world.rank()); });
    expect_asleep(world, "broadcast", [&] { world.broadcast(values, last); });
    expect_asleep(world, "long broadcast", [&] { world.broadcast(many, last); });
    expect_asleep(world, "together", [&] { world.together([] {}); });
    expect_asleep(world, "split", [&] { world.split(world.rank() % 2, 0); });
    expect_asleep(world, "split_shared", [&] { world.split_shared(); });
    expect_asleep(world, "duplicate", [&] { world.duplicate(); });
}

TEST(Waiting, ForALongMessageIsAsleep) {
    const Communicator world = Communicator::world();
    const std::vector<double> many(1 << 18, 1.0);
    // Rank 0 is late to receive; the sizes it asks for first come in time.
    if (world.size() == 1) GTEST_SKIP() << "nobody to wait for";
    world.barrier();
    const double before = core_seconds();
    int received = 0;
    world.gather_bytes(std::as_bytes(std::span(many)), [&](int, std::span<const std::byte>) {
        if (received++ == 0) std::this_thread::sleep_for(std::chrono::duration<double>(late));
    });
    if (!world.is_root()) {
        EXPECT_LT(core_seconds() - before, late / 5) << "gather on rank " << world.rank();
    }
}

TEST(Waiting, ForWindowsIsAsleep) {
    const Communicator world = Communicator::world();
    expect_asleep(world, "a window of counters, to its end", [&] {
        const tessera::mpi::RemoteCounters counters(world, {1, 2, 3});
    });
    expect_asleep(world, "shared memory, to its end",
                  [&] { const tessera::mpi::SharedMemory memory(world, 64); });
}

TEST(Waiting, ForNothingReturnsAtOnce) {
    std::vector<MPI_Request> none;
    tessera::mpi::wait_for(none);
    std::vector<MPI_Request> done(3, MPI_REQUEST_NULL);
    tessera::mpi::wait_for(done);
}

}  // namespace
