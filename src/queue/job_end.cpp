#include "queue/job_end.hpp"

#include <signal.h>

#include <algorithm>
#include <array>

#include "core/error.hpp"

namespace tessera::queue {

namespace {

constexpr int to_be_resumed = static_cast<int>(ExitCode::requeue);

/// Signals by which people and systems end a process that is all right.
bool comes_from_outside(int number) {
    constexpr std::array outside{SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGUSR1};
    return std::ranges::find(outside, number) != outside.end();
}

bool may_go_on(const std::optional<Ending>& ending) {
    return !ending || ending->code == to_be_resumed || comes_from_outside(ending->signal);
}

std::string words_for(const std::optional<Ending>& ending) {
    if (!ending) return "nobody knows how it ended";
    return ending->signal ? "killed by signal " + std::to_string(ending->signal)
                          : "exit code " + std::to_string(ending->code);
}

JobState state_after(Job& job, const std::optional<Ending>& ending) {
    if (ending && ending->code == 0) return JobState::done;
    if (job.cancelling) return JobState::cancelled;
    if (!may_go_on(ending)) return JobState::failed;
    job.deaths = job.stopping ? 0 : job.deaths + 1;
    return job.deaths < most_deaths ? JobState::waiting : JobState::failed;
}

}  // namespace

void end_attempt(Job& job, const std::optional<Ending>& ending, const std::string& last_line,
                 double now) {
    job.state = state_after(job, ending);
    job.ended = now;
    job.exit_code = ending ? std::optional<std::int64_t>(ending->code) : std::nullopt;
    job.reason.clear();
    if (job.state == JobState::failed) {
        job.reason = words_for(ending);
        if (job.deaths >= most_deaths)
            job.reason += ", " + std::to_string(job.deaths) + " times in a row";
        if (!last_line.empty()) job.reason += ": " + last_line;
    }
    job.stopping = false;
    job.held.clear();
    job.protected_until = 0;
}

}  // namespace tessera::queue
