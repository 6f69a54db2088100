#include "bench/queue_simulation/job_mixes.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace tessera::bench {

namespace {

using queue::SimulatedJob;

/// Random numbers that are the same with every standard library.
class Random {
  public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}
    double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
    /// Of this mean.
    double exponential(double mean) { return -mean * std::log1p(-uniform()); }
    /// Of this median; a factor e for each `sigma`.
    double log_normal(double median, double sigma) {
        double sum = -6;
        for (int i = 0; i < 12; ++i) sum += uniform();
        return median * std::exp(sigma * sum);
    }

  private:
    std::mt19937_64 engine_;
};

struct Kind {
    std::size_t project = 0;
    int cores = 1, gpus = 0;
    double median = 1800, sigma = 0.7;  ///< s that a job takes
    double tile = 20;                   ///< s
    double slack = 0;                   ///< deadline after the arrival, in run times; 0: none
};

SimulatedJob make_job(const Kind& kind, double arrives, Random& random) {
    SimulatedJob made;
    made.arrives = arrives;
    made.seconds = random.log_normal(kind.median, kind.sigma);
    made.tile = kind.tile;
    made.start_up = 3;
    made.job.project = kind.project;
    made.job.cores = kind.cores;
    made.job.gpus = kind.gpus;
    // Plans are right within some 20 % (docs/guide/plan.md).
    made.job.seconds_left = made.seconds * random.log_normal(1, 0.2);
    if (kind.slack > 0)
        made.job.deadline = arrives + kind.slack * made.seconds * (0.5 + random.uniform());
    return made;
}

/// Jobs of one kind that arrive at random, `load` core-seconds (or GPU-seconds) of them a second.
void add_stream(JobMix& mix, const Kind& kind, double load, double length, Random& random) {
    const double mean = kind.median * std::exp(kind.sigma * kind.sigma / 2);
    const double every = mean * (kind.gpus > 0 ? kind.gpus : kind.cores) / load;
    for (double time = random.exponential(every); time < length; time += random.exponential(every))
        mix.jobs.push_back(make_job(kind, time, random));
}

JobMix machine(const std::string& name, int cores, int gpus, const std::vector<double>& shares) {
    JobMix mix{name, {}, {}};
    mix.start.machine = {cores, gpus, 32};
    for (const double share : shares) mix.start.projects.push_back({share, 0});
    return mix;
}

JobMix finished(JobMix mix) {
    std::ranges::stable_sort(mix.jobs, {}, &SimulatedJob::arrives);
    std::int64_t id = 0;
    for (SimulatedJob& job : mix.jobs) job.job.id = ++id;
    return mix;
}

constexpr double day = 86400;

/// Two projects of shares 3 and 1 with more work than the machine can do, no deadlines.
JobMix two_projects(Random& random) {
    JobMix mix = machine("two projects, shares 3:1", 16, 0, {3, 1});
    add_stream(mix, {.project = 0, .cores = 2}, 16, day, random);
    add_stream(mix, {.project = 1, .cores = 2}, 16, day, random);
    return finished(mix);
}

/// A load of 85 %, of which a third has deadlines.
JobMix some_deadlines(Random& random) {
    JobMix mix = machine("some deadlines, load 0.85", 16, 0, {1, 1, 1});
    add_stream(mix, {.project = 0, .cores = 4, .median = 5400}, 5, day, random);
    add_stream(mix, {.project = 1, .cores = 1, .median = 3600}, 4, day, random);
    add_stream(mix, {.project = 2, .cores = 2, .median = 1200, .slack = 3}, 4.6, day, random);
    return finished(mix);
}

/// More work with deadlines than its share covers.
JobMix tight_deadlines(Random& random) {
    JobMix mix = machine("tight deadlines, load 1.1", 16, 0, {1, 1});
    add_stream(mix, {.project = 0, .cores = 2, .median = 3600}, 8.6, day, random);
    add_stream(mix, {.project = 1, .cores = 2, .median = 1800, .slack = 2}, 9, day, random);
    return finished(mix);
}

/// A node with GPUs: one project has jobs for both, the other for cores alone.
JobMix gpu_node(Random& random) {
    JobMix mix = machine("4 GPUs and 32 cores", 32, 4, {1, 1});
    add_stream(mix, {.project = 0, .cores = 1, .gpus = 1, .median = 1800}, 3.5, day, random);
    add_stream(mix, {.project = 0, .cores = 4, .median = 1800}, 8, day, random);
    add_stream(mix, {.project = 1, .cores = 8, .median = 2400, .slack = 6}, 22, day, random);
    return finished(mix);
}

/// Jobs of all cores among narrow ones.
JobMix wide_jobs(Random& random) {
    JobMix mix = machine("wide and narrow jobs", 16, 0, {1, 1});
    add_stream(mix, {.project = 0, .cores = 16, .median = 1200}, 7, day, random);
    add_stream(mix, {.project = 1, .cores = 1, .median = 2400}, 7, day, random);
    return finished(mix);
}

}  // namespace

std::vector<JobMix> job_mixes(std::uint64_t seed) {
    Random random(seed);
    return {two_projects(random), some_deadlines(random), tight_deadlines(random), gpu_node(random),
            wide_jobs(random)};
}

}  // namespace tessera::bench
