// This program measures what a stop and a helper of `dock --pairs` cost with many pairs, beside the
// former ways: a stop that closes each list, and a helper that reads the counters of all lists.
// Usage, under mpirun: bench_tile_lists [lists]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "mpi/communicator.hpp"
#include "mpi/scheduling/tile_lists.hpp"
#include "mpi/session.hpp"

namespace tessera::bench {
namespace {

constexpr std::int64_t tiles = 365;  // of a default docking
constexpr int of_list = 3;           // counters

template <class Work>
double seconds_of(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// On the last rank, while the others wait: seconds of a stop and of a helper's choice.
void measure(const mpi::Communicator& world, std::size_t lists) {
    mpi::TileLists now(world, std::vector<std::int64_t>(lists, tiles),
                       std::vector<int>(lists / 10, 10));
    mpi::RemoteCounters former(world, std::vector<std::int64_t>(of_list * lists, 0));
    if (world.is_root()) {  // all lists have owners, and the last ones have tiles left
        while (now.claim()) {
        }
        for (std::size_t list = 0; list + 100 < lists; ++list) now.close(static_cast<int>(list));
    }
    world.barrier();
    if (world.rank() == world.size() - 1) {
        const double join = seconds_of([&] { now.join(); });
        const double former_join = seconds_of([&] { former.read_first(of_list * lists); });
        const double stop = seconds_of([&] { now.stop(); });
        const double former_stop = seconds_of([&] {
            for (std::size_t list = 0; list < lists; ++list)
                former.replace(static_cast<int>(of_list * list), tiles);
        });
        std::printf("%9zu %12.1f %12.1f %12.1f %14.1f\n", lists, 1e6 * join, 1e6 * former_join,
                    1e6 * stop, 1e6 * former_stop);
        std::fflush(stdout);
    }
    world.barrier();
}

}  // namespace
}  // namespace tessera::bench

int main(int argc, char** argv) {
    const tessera::mpi::Session session(argc, argv);
    return session.run([&] {
        const auto world = tessera::mpi::Communicator::world();
        const std::size_t most = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
        if (world.rank() == world.size() - 1)
            std::printf("%9s %12s %12s %12s %14s  microseconds\n", "lists", "join", "former join",
                        "stop", "former stop");
        for (std::size_t lists = 10; lists <= most; lists *= 10)
            tessera::bench::measure(world, lists);
        return 0;
    });
}
