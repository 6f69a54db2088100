// How long a job of the queue takes, as tessera plan predicts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "choice/ask.hpp"
#include "queue/job.hpp"

namespace tessera::app {

/// The command that plans a job's command: "mpirun -n 2 tessera dock a b" becomes "mpirun -n 2
/// tessera plan dock a b --this-build --json". Nothing if it is no command of tessera that can be
/// planned.
std::optional<std::vector<std::string>> plan_of(const std::vector<std::string>& command);

/// Seconds, on the cores and GPUs that the job will have. `cores` and `gpus` are those of the
/// machine. Throws Error if the command cannot be planned, or if its plan says that it cannot run.
double predicted_seconds(const queue::JobRequest& request, int cores,
                         const std::vector<std::string>& gpus, const choice::Ask& ask);

}  // namespace tessera::app
