// This program simulates mpi/scheduling/node_tile_iterator on more ranks than are available. Nodes
// take chunks from one counter that serves one request at a time. Ranks take tiles from their
// node's chunk.
//   bench_scheduler_simulation [key=value ...]
// The keys are those of Case. It prints one row for each number of ranks.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <queue>
#include <random>
#include <string>
#include <vector>

#include "mpi/scheduling/chunk_size.hpp"

namespace {

namespace mpi = tessera::mpi;

/// Times in seconds.
struct Case {
    int ranks_per_node = 8;
    double tiles_per_rank = 200;
    double tile = 0.02;         ///< mean time of a tile on a rank of speed 1
    double spread = 0.1;        ///< standard deviation over the mean, of tiles and of ranks' speeds
    double slow_share = 0;      ///< share of the nodes with slower ranks
    double slow_factor = 4;     ///< how many times slower these ranks are
    double latency = 2e-6;      ///< one way to rank 0 and through its MPI
    double service = 1e-6;      ///< one request at the counter; its greatest rate is the inverse
    double take = 1e-6;         ///< one tile from the node's chunk, with journal and loop
    double largest_poll = 0.1;  ///< between checks of a node that waits for the others
    double least = 0;           ///< tiles of the smallest chunks; 0: the program's number
};

struct Event {
    double time;
    enum class Kind { tile_done, asked_size, size_known, asked_chunk, chunk_here, poll } kind;
    int node;
    int rank;
    bool operator<(const Event& other) const { return time > other.time; }
};
using Kind = Event::Kind;

struct Node {
    std::int64_t begin = 0, end = 0, taken = 0, wanted = 0;
    bool refilling = false, exhausted = false;
    std::vector<int> waiting;  ///< ranks without a tile
};

struct Result {
    double makespan = 0, ideal = 0, idle = 0;
    std::int64_t requests = 0;
    double longest_wait = 0, mean_wait = 0;  ///< wait of a request for the counter
};

class Simulation {
  public:
    Simulation(const Case& c, int ranks)
        : case_(c),
          ranks_(ranks),
          nodes_(static_cast<std::size_t>((ranks + c.ranks_per_node - 1) / c.ranks_per_node)),
          tiles_(static_cast<std::int64_t>(c.tiles_per_rank * ranks)),
          last_end_(static_cast<std::size_t>(ranks), 0) {
        std::normal_distribution<double> normal(1, case_.spread);
        for (int rank = 0; rank < ranks_; ++rank) {
            const double node_share = (rank / case_.ranks_per_node + 0.5) / double(nodes_.size());
            const bool slow = node_share < case_.slow_share;
            speeds_.push_back(std::max(0.2, normal(random_)) / (slow ? case_.slow_factor : 1));
        }
    }

    Result run() {
        next_ = std::min<std::int64_t>(ranks_, tiles_);
        for (int rank = 0; rank < ranks_; ++rank) {
            Node& node = nodes_[static_cast<std::size_t>(rank / case_.ranks_per_node)];
            ++node.taken;
            start_tile(0, rank);
        }
        while (!events_.empty() && done_ < tiles_) {
            const Event event = events_.top();
            events_.pop();
            handle(event);
        }
        return summary();
    }

  private:
    void start_tile(double now, int rank) {
        std::normal_distribution<double> normal(1, case_.spread);
        const double work = case_.tile * std::max(0.05, normal(random_));
        const double end = now + case_.take + work / speeds_[static_cast<std::size_t>(rank)];
        work_ += work;
        events_.push({end, Kind::tile_done, rank / case_.ranks_per_node, rank});
    }

    /// The time when a request that arrives now has been served.
    double serve(double now) {
        const double begin = std::max(now, free_at_);
        free_at_ = begin + case_.service;
        ++result_.requests;
        result_.longest_wait = std::max(result_.longest_wait, begin - now);
        result_.mean_wait += begin - now;
        return free_at_;
    }

    void handle(const Event& event) {
        Node& node = nodes_[static_cast<std::size_t>(event.node)];
        switch (event.kind) {
            case Kind::tile_done:
                ++done_;
                last_end_[static_cast<std::size_t>(event.rank)] = event.time;
                node.waiting.push_back(event.rank);
                return deal(event.time, event.node);
            case Kind::asked_size: node.wanted = size_of_chunk(node); break;
            case Kind::asked_chunk: take_chunk(node); break;
            case Kind::size_known: return ask(event.time, event.node, Kind::asked_chunk);
            case Kind::chunk_here: node.refilling = false; return deal(event.time, event.node);
            case Kind::poll: serve(event.time); return poll_later(event.time, event.node);
        }
        // The counter has answered, and the answer travels.
        const Kind answer = event.kind == Kind::asked_size ? Kind::size_known : Kind::chunk_here;
        events_.push({event.time + case_.latency, answer, event.node, 0});
    }

    /// Two round trips: how much is left, then the chunk.
    void ask(double now, int node, Kind kind) {
        events_.push({serve(now + case_.latency), kind, node, 0});
    }

    void deal(double now, int number) {
        Node& node = nodes_[static_cast<std::size_t>(number)];
        for (; !node.waiting.empty() && node.begin < node.end; ++node.begin) {
            start_tile(now, node.waiting.back());
            node.waiting.pop_back();
        }
        if (node.waiting.empty() || node.refilling) return;
        node.refilling = true;  // stays true if the node then only polls
        if (node.exhausted)
            poll_later(now, number);
        else
            ask(now, number, Kind::asked_size);
    }

    void poll_later(double now, int node) {
        const double pause = std::clamp(50e-6 * double(nodes_.size()), 1e-3, case_.largest_poll);
        events_.push({now + pause, Kind::poll, node, 0});
    }

    std::int64_t size_of_chunk(const Node& node) const {
        const auto nodes = std::ssize(nodes_);
        const std::int64_t least = case_.least > 0 ? std::int64_t(case_.least)
                                                   : mpi::least_chunk(nodes, case_.ranks_per_node);
        return mpi::chunk_size(tiles_, next_, node.taken, nodes, least);
    }

    void take_chunk(Node& node) {
        node.begin = std::min(next_, tiles_);
        node.end = std::min(next_ + node.wanted, tiles_);
        node.exhausted = node.begin == node.end;
        node.taken += node.end - node.begin;
        next_ = node.end;
    }

    Result summary() {
        double rate = 0;
        for (const double speed : speeds_) rate += speed;
        result_.makespan = *std::max_element(last_end_.begin(), last_end_.end());
        result_.ideal = work_ / rate;
        for (const double end : last_end_) result_.idle += 1 - end / result_.makespan;
        result_.idle /= ranks_;
        result_.mean_wait /= double(std::max<std::int64_t>(1, result_.requests));
        return result_;
    }

    Case case_;
    int ranks_;
    std::vector<Node> nodes_;
    std::int64_t tiles_, next_ = 0, done_ = 0;
    std::vector<double> speeds_, last_end_;
    double work_ = 0, free_at_ = 0;
    std::priority_queue<Event> events_;
    std::mt19937_64 random_{1};
    Result result_;
};

bool set(Case& c, const std::string& word) {
    const auto equals = word.find('=');
    if (equals == std::string::npos) return false;
    const std::string key = word.substr(0, equals);
    const double value = std::atof(word.c_str() + equals + 1);
    const std::pair<const char*, double*> known[] = {{"tiles_per_rank", &c.tiles_per_rank},
                                                     {"tile", &c.tile},
                                                     {"spread", &c.spread},
                                                     {"slow_share", &c.slow_share},
                                                     {"slow_factor", &c.slow_factor},
                                                     {"latency", &c.latency},
                                                     {"service", &c.service},
                                                     {"take", &c.take},
                                                     {"largest_poll", &c.largest_poll},
                                                     {"least", &c.least}};
    if (key == "ranks_per_node") c.ranks_per_node = std::max(1, int(value));
    for (const auto& [name, place] : known)
        if (key == name) *place = value;
    return key == "ranks_per_node" ||
           std::any_of(std::begin(known), std::end(known),
                       [&](const auto& entry) { return key == entry.first; });
}

}  // namespace

int main(int argc, char** argv) {
    Case c;
    for (int i = 1; i < argc; ++i)
        if (!set(c, argv[i])) {
            std::fprintf(stderr, "unknown '%s' (key=value): see struct Case\n", argv[i]);
            return 2;
        }
    std::printf("%6s %6s %10s %10s %8s %9s %9s %12s %12s\n", "ranks", "nodes", "ideal s", "time s",
                "of ideal", "tail idle", "requests", "wait, mean", "longest us");
    for (const int ranks : {8, 80, 400, 1000, 2000, 5000, 10000}) {
        const Result r = Simulation(c, ranks).run();
        std::printf("%6d %6d %10.4f %10.4f %8.4f %8.2f%% %9lld %12.2f %12.1f\n", ranks,
                    (ranks + c.ranks_per_node - 1) / c.ranks_per_node, r.ideal, r.makespan,
                    r.ideal / r.makespan, 100 * r.idle, static_cast<long long>(r.requests),
                    1e6 * r.mean_wait, 1e6 * r.longest_wait);
    }
    return 0;
}
