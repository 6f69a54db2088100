// What becomes of a job whose attempt has ended.
#pragma once

#include <optional>
#include <string>

#include "queue/job.hpp"
#include "queue/job_process.hpp"

namespace tessera::queue {

/// A job that ends this often in a row without being done, although nobody asked it to stop, has
/// failed.
constexpr int most_deaths = 5;

/// Sets the state and what belongs to it. A job that was stopped, killed or lost waits again, since
/// every run goes on with the same command. Without `ending` nobody knows how it ended. `last_line`
/// is what it wrote last to stderr.
void end_attempt(Job& job, const std::optional<Ending>& ending, const std::string& last_line,
                 double now);

}  // namespace tessera::queue
