// This program measures how tiles are handed out. Tiles sleep instead of computing, so two cores
// are enough for many ranks. Usage, under mpirun:
//   bench_scheduling overhead [tiles a rank] [ranks a node]
//   bench_scheduling balance [tiles a rank] [ms a tile] [slow factor of the last rank]
//                            [ranks a node]
//   bench_scheduling counter [requests a rank]
//   bench_scheduling wait [ms a tile of rank 0] [ranks a node]
//                         [1: answer requests while computing]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "core/tile.hpp"
#include "engine/run_tiles.hpp"
#include "io/journal/journal.hpp"
#include "mpi/communicator.hpp"
#include "mpi/request_server.hpp"
#include "mpi/scheduling/node_tile_iterator.hpp"
#include "mpi/session.hpp"
#include "mpi/window.hpp"

namespace tessera::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Processor time of this thread, which other programs on its core do not change.
double own_seconds() {
    timespec now = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct SleepingWorkload {
    using Payload = double;
    double seconds = 0, spread = 0;
    Clock::time_point last_end = Clock::now();

    TilePartial<double> run(const Tile& tile) {
        if (seconds > 0) {
            std::mt19937_64 random(static_cast<std::uint64_t>(tile.id.value));
            const double factor =
                1 + spread * (2 * std::generate_canonical<double, 53>(random) - 1);
            std::this_thread::sleep_for(std::chrono::duration<double>(seconds * factor));
        }
        last_end = Clock::now();
        return {tile.id, {1.0}};
    }
};

/// Writes each partial to a file like a run's journal: one checksummed record per tile.
struct FileJournal {
    io::JournalWriter writer;
    bool contains(TileId) const { return false; }
    void append(const TilePartial<double>& partial) {
        const double record[2] = {static_cast<double>(partial.id.value), partial.records[0]};
        writer.append(std::as_bytes(std::span(record)));
    }
    std::vector<TilePartial<double>> restored() const { return {}; }
};

template <class Journal>
void time_overhead(const mpi::Communicator& world, const char* name, std::int64_t tiles_a_rank,
                   int ranks_a_node, Journal& journal) {
    const std::int64_t count = tiles_a_rank * world.size();
    mpi::NodeTileIterator tiles(world, cut_into_tiles(count, 1), {ranks_a_node, {}});
    SleepingWorkload workload;
    world.barrier();
    const double before = own_seconds();
    const auto run = run_tiles(workload, tiles, journal);
    const double own = own_seconds() - before;
    const auto all = world.allgather(run.tiles_done > 0 ? own : 0.0);
    double sum = 0;
    for (const double seconds : all) sum += seconds;
    if (world.is_root())
        std::printf("%d ranks, %d nodes, %-16s %.3f us of CPU a tile\n", world.size(),
                    tiles.nodes(), name, 1e6 * sum / static_cast<double>(count));
}

void time_balance(const mpi::Communicator& world, std::int64_t tiles_a_rank, double tile,
                  double slow, int ranks_a_node) {
    const std::int64_t count = tiles_a_rank * world.size();
    mpi::NodeTileIterator tiles(world, cut_into_tiles(count, 1), {ranks_a_node, {}});
    const bool is_slow = world.size() > 1 && world.rank() == world.size() - 1;
    SleepingWorkload workload{is_slow ? tile * slow : tile, 0.1};
    NoJournal<double> journal;
    world.barrier();
    const auto start = Clock::now();
    const auto run = run_tiles(workload, tiles, journal);
    const auto ends =
        world.allgather(std::chrono::duration<double>(workload.last_end - start).count());
    const auto rates = world.allgather(static_cast<double>(run.tiles_done) / run.busy_seconds);
    const auto done = world.allgather(run.tiles_done);
    if (!world.is_root()) return;
    const double end = *std::max_element(ends.begin(), ends.end());
    double rate = 0, idle = 0;
    for (const double r : rates) rate += r;  // as measured: the rate of all ranks together
    for (const double e : ends) idle += 1 - e / end;
    const double ideal = static_cast<double>(count) / rate;
    std::printf(
        "%d ranks, %d nodes, last one %gx slower: %.3f s, %.4f of the ideal %.3f s, tail idle "
        "%.2f %%, tiles",
        world.size(), tiles.nodes(), slow, end, end / ideal, ideal, 100 * idle / world.size());
    for (const std::int64_t n : done) std::printf(" %lld", static_cast<long long>(n));
    std::printf("\n");
}

void time_wait(const mpi::Communicator& world, double tile, int ranks_a_node, bool answer) {
    mpi::NodeTileOptions options{ranks_a_node, {}};
    options.answer_while_computing = answer;
    options.as_between_machines = true;
    mpi::NodeTileIterator tiles(world, cut_into_tiles(400 * world.size(), 1), options);
    // Rank 0 is outside MPI for a whole tile, and the others ask often.
    const double mine = world.is_root() ? tile : tile / 20;
    world.barrier();
    double longest = 0, sum = 0;
    std::int64_t asked = 0;
    while (true) {
        const auto start = Clock::now();
        const auto next = tiles.next();
        const double waited = seconds_since(start);
        if (!next || tiles.tiles_finished() > tiles.tiles_total() * 9 / 10) break;
        longest = std::max(longest, waited);
        sum += waited;
        ++asked;
        std::this_thread::sleep_for(std::chrono::duration<double>(mine));
    }
    while (tiles.next()) {
    }
    const auto longests = world.allgather(world.is_root() ? 0.0 : longest);
    const auto sums = world.allgather(world.is_root() ? 0.0 : sum);
    const auto counts = world.allgather(world.is_root() ? std::int64_t{0} : asked);
    if (!world.is_root()) return;
    double total = 0;
    std::int64_t times = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) total += sums[i], times += counts[i];
    std::printf(
        "%d ranks, %d nodes, tiles of rank 0 %.1f ms, %s: next() takes %.3f ms in the mean, "
        "%.2f ms at most\n",
        world.size(), tiles.nodes(), 1e3 * tile,
        answer ? "answering while computing" : "not answering meanwhile",
        1e3 * total / static_cast<double>(std::max<std::int64_t>(1, times)),
        1e3 * *std::max_element(longests.begin(), longests.end()));
}

/// Measures requests to the counters at rank 0 by `askers` other ranks at once, as between
/// machines. Rank 0 does nothing else, so its processor time is the cost of the requests.
void time_counter(const mpi::Communicator& world, std::int64_t requests, int askers) {
    mpi::RemoteCounters counters(world, {0, 0, 0, 0, 0}, true);
    const bool asks = world.rank() > 0 && world.rank() <= askers;
    world.barrier();
    const double before = own_seconds();
    const auto start = Clock::now();
    if (asks)
        for (std::int64_t i = 0; i < requests; ++i) counters.fetch_add(0, 1);
    const double seconds = seconds_since(start);
    while (world.is_root() && counters.read(0) < askers * requests) mpi::serve_requests(world);
    const double computed = own_seconds() - before;
    const auto all = world.allgather(asks ? seconds : 0.0);
    if (!world.is_root()) return;
    const double longest = *std::max_element(all.begin(), all.end());
    const auto total = static_cast<double>(askers * requests);
    std::printf("%d asking: %.1f us a round trip, %.0f requests/s, %.2f us of CPU each at rank 0\n",
                askers, 1e6 * longest / static_cast<double>(requests), total / longest,
                1e6 * computed / total);
}

int run(const mpi::Communicator& world, int argc, char** argv) {
    const std::string mode = argc > 1 ? argv[1] : "";
    const auto number = [&](int index, double otherwise) {
        return argc > index ? std::atof(argv[index]) : otherwise;
    };
    if (mode == "overhead") {
        const auto count = static_cast<std::int64_t>(number(2, 50000));
        const int per_node = static_cast<int>(number(3, 0));
        NoJournal<double> none;
        time_overhead(world, "no journal", count, per_node, none);
        const std::string path = "bench_scheduling." + std::to_string(world.rank()) + ".journal";
        std::remove(path.c_str());
        {
            FileJournal file{io::JournalWriter(path, {})};
            time_overhead(world, "journal in a file", count, per_node, file);
        }
        std::remove(path.c_str());
    } else if (mode == "balance") {
        time_balance(world, static_cast<std::int64_t>(number(2, 200)), 1e-3 * number(3, 10),
                     number(4, 4), static_cast<int>(number(5, 0)));
    } else if (mode == "counter") {
        for (int askers = 1; askers < world.size(); askers *= 2)
            time_counter(world, static_cast<std::int64_t>(number(2, 10000)), askers);
    } else if (mode == "wait") {
        time_wait(world, 1e-3 * number(2, 100), static_cast<int>(number(3, 1)), number(4, 1) != 0);
    } else {
        if (world.is_root())
            std::fprintf(stderr, "name a measurement (overhead, balance, counter or wait): see the "
                                 "head of the source\n");
        return 2;
    }
    return 0;
}

}  // namespace
}  // namespace tessera::bench

int main(int argc, char** argv) {
    const tessera::mpi::Session session(argc, argv);
    return session.run(
        [&] { return tessera::bench::run(tessera::mpi::Communicator::world(), argc, argv); });
}
