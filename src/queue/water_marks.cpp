#include "queue/water_marks.hpp"

#include <algorithm>

namespace tessera::queue {

namespace {

/// Work within the next `horizon` seconds.
Shortfall work_until(const State& state, double horizon) {
    Shortfall work;
    for (const JobView& job : state.jobs) {
        if (!fits(job, state.machine)) continue;
        const double seconds = std::clamp(job.seconds_left, 0.0, horizon);
        work.core_seconds += seconds * job.cores;
        work.gpu_seconds += seconds * job.gpus;
    }
    return work;
}

/// What is missing until all resources are busy for so long.
Shortfall missing_until(const State& state, double horizon) {
    const Shortfall work = work_until(state, horizon);
    return {std::max(0.0, horizon * state.machine.cores - work.core_seconds),
            std::max(0.0, horizon * state.machine.gpus - work.gpu_seconds)};
}

}  // namespace

Shortfall shortfall(const State& state, const WaterMarks& marks) {
    return missing_until(state, marks.low).any() ? missing_until(state, marks.high) : Shortfall{};
}

}  // namespace tessera::queue
