// Runs the jobs of a queue on this machine.
#pragma once

#include <functional>
#include <string>

#include "core/stop_flag.hpp"
#include "queue/job_store.hpp"
#include "queue/runner_view.hpp"

namespace tessera::queue {

/// What came of a runner that has ended.
enum class RunnerEnd {
    empty,    ///< every job has ended
    stopped,  ///< a signal asked for it; all jobs that ran have stopped and wait
    stuck,    ///< with until_empty: the jobs that are left need more than this machine has
};

/// Takes up what an earlier runner has left running, and returns when the queue is empty
/// (until_empty) or when `stop` is set. `tell` gets a line for everything that happens to a job.
/// Throws Error if another runner has the queue, or if the queue cannot be used any longer; jobs
/// that run then go on, and the next runner finds them.
RunnerEnd run_queue(JobStore& store, const RunnerOptions& options, const StopFlag& stop,
                    const std::function<void(const std::string&)>& tell);

}  // namespace tessera::queue
