// Compares the policies of the queue on synthetic mixes of jobs (docs/method/queue.md).
//   bench_queue_simulation [seeds=5]
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/queue_simulation/job_mixes.hpp"
#include "queue/simulation.hpp"

namespace {

using namespace tessera;
using queue::Measures;
using queue::Policy;

struct Named {
    Policy policy;
    const char* name;
};

constexpr std::array policies{Named{Policy::first_come, "first come"},
                              Named{Policy::shares, "shares"},
                              Named{Policy::earliest_deadline, "earliest deadline"},
                              Named{Policy::shares_and_deadlines, "shares and deadlines"}};

/// Means over the seeds.
struct Row {
    double idle_cores = 0, idle_gpus = 0, missed = 0, violation = 0, preemptions = 0,
           turnaround = 0;

    void add(const Measures& m, double jobs, double seeds) {
        idle_cores += m.idle_cores / seeds;
        idle_gpus += m.idle_gpus / seeds;
        if (m.with_deadline > 0) missed += static_cast<double>(m.missed) / m.with_deadline / seeds;
        violation += m.share_violation / seeds;
        preemptions += m.preemptions / jobs / seeds;
        turnaround += m.mean_turnaround / 3600 / seeds;
    }
};

}  // namespace

int main(int argc, char** argv) {
    const std::string word = argc > 1 ? argv[1] : "seeds=5";
    const int seeds = word.starts_with("seeds=") ? std::atoi(word.c_str() + 6) : 0;
    if (seeds < 1) {
        std::fprintf(stderr, "usage: bench_queue_simulation [seeds=5]\n");
        return 2;
    }
    const std::size_t mixes = bench::job_mixes(1).size();
    std::vector<std::array<Row, policies.size()>> rows(mixes);
    for (int seed = 1; seed <= seeds; ++seed) {
        const auto drawn = bench::job_mixes(static_cast<std::uint64_t>(seed));
        for (std::size_t i = 0; i < mixes; ++i)
            for (std::size_t p = 0; p < policies.size(); ++p)
                rows[i][p].add(queue::simulate(drawn[i].start, drawn[i].jobs, policies[p].policy),
                               static_cast<double>(drawn[i].jobs.size()), seeds);
    }
    std::printf("%-26s %-21s %10s %9s %7s %9s %11s %10s\n", "mix", "policy", "idle cores",
                "idle GPUs", "missed", "violation", "preemptions", "turnaround");
    for (std::size_t i = 0; i < mixes; ++i)
        for (std::size_t p = 0; p < policies.size(); ++p) {
            const Row& row = rows[i][p];
            std::printf("%-26s %-21s %9.1f%% %8.1f%% %6.1f%% %8.1f%% %5.2f a job %8.2f h\n",
                        bench::job_mixes(1)[i].name.c_str(), policies[p].name, 100 * row.idle_cores,
                        100 * row.idle_gpus, 100 * row.missed, 100 * row.violation, row.preemptions,
                        row.turnaround);
        }
}
