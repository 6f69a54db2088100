// A discrete-event simulation of the queue, with the decisions of queue/policy.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "queue/policy.hpp"

namespace tessera::queue {

/// Times in seconds.
struct SimulatedJob {
    JobView job;  ///< what the scheduler is told; seconds_left is the prediction
    double arrives = 0;
    double seconds = 0;   ///< how long it really takes
    double tile = 0;      ///< between two places where it can stop
    double start_up = 0;  ///< lost at every start but the first
};

/// What came out. Fractions are of the time from the first arrival to the last end.
struct Measures {
    double idle_cores = 0, idle_gpus = 0;  ///< fractions of the resources that nobody used
    int with_deadline = 0, missed = 0;
    /// Root mean square over the projects of (work that was done − work that was owed) / work of
    /// all, while several projects had jobs.
    double share_violation = 0;
    int preemptions = 0;
    double mean_turnaround = 0;  ///< from the arrival to the end
    double makespan = 0;
    std::vector<double> core_seconds, gpu_seconds;  ///< of each project
};

/// `start` has the machine, the slice and the projects; its clock begins at 0 and its jobs are
/// ignored. `until` ends the simulation before all jobs have ended.
Measures simulate(const State& start, std::vector<SimulatedJob> jobs, Policy policy,
                  double until = never);

}  // namespace tessera::queue
