// Fetches work: runs the command of a project's source when the machine has too little.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "queue/job_store.hpp"
#include "queue/policy.hpp"
#include "queue/source_turns.hpp"
#include "queue/water_marks.hpp"

namespace tessera::queue {

struct FetchOptions {
    std::vector<Source> sources{};
    WaterMarks marks{};
};

/// One command is at work at a time. It gets these variables: TESSERA_QUEUE (the file of the
/// queue), TESSERA_QUEUE_PROJECT, TESSERA_QUEUE_CORE_SECONDS and TESSERA_QUEUE_GPU_SECONDS. What it
/// prints goes to FILE.jobs/fetch.log.
class WorkFetch {
  public:
    WorkFetch(const FetchOptions& options, const std::string& database);
    /// Asks the command that is at work to end.
    ~WorkFetch();
    WorkFetch(const WorkFetch&) = delete;
    WorkFetch& operator=(const WorkFetch&) = delete;

    /// Starts a command if work is short. A project with jobs that can never run here is not asked.
    /// `newest` is the number of the newest job. Returns what happened, if something did. Throws
    /// Error if no process can be made.
    std::optional<std::string> look(const State& state, const std::vector<StoredProject>& projects,
                                    std::int64_t newest);
    /// A process of the runner has ended. Returns what happened, if it was the command.
    std::optional<std::string> note_end(pid_t process, int status, std::int64_t newest, double now);
    bool is_at_work() const { return process_ != 0; }
    /// Whether no work can be expected soon.
    bool is_dry() const { return process_ == 0 && turns_.all_are_dry(); }

  private:
    void start(const Source& source, const Shortfall& wanted);

    WaterMarks marks_;
    SourceTurns turns_;
    std::string database_;
    pid_t process_ = 0;      ///< 0: no command is at work
    std::size_t asked_ = 0;  ///< its source
    std::int64_t newest_ = 0;
};

}  // namespace tessera::queue
