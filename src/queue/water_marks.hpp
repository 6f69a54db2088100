// How much predicted work a machine keeps, as BOINC's clients do (docs/method/queue.md).
#pragma once

#include "queue/policy.hpp"

namespace tessera::queue {

/// Seconds for which every core and every GPU shall have work. Below `low` work is fetched, up to
/// `high`.
struct WaterMarks {
    double low = 3600;
    double high = 14400;
};

/// Work that is wanted, in seconds of one core and of one GPU.
struct Shortfall {
    double core_seconds = 0;
    double gpu_seconds = 0;

    bool any() const { return core_seconds > 0 || gpu_seconds > 0; }
};

/// What is missing up to the high mark, if cores or GPUs are below the low one; otherwise nothing.
/// A job that takes longer than a mark counts up to it, because it occupies its own cores only, and
/// so does a job of unknown length. Jobs that can never run here do not count.
Shortfall shortfall(const State& state, const WaterMarks& marks);

}  // namespace tessera::queue
