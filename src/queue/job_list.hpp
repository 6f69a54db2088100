// The jobs and projects of a queue as text.
#pragma once

#include <string>
#include <vector>

#include "queue/job.hpp"
#include "queue/job_store.hpp"

namespace tessera::queue {

/// A table with a line for each job.
std::string job_table(const std::vector<Job>& jobs);

/// JSON: a list with an object for each job (docs/reference/formats.md). `folder` has the files
/// that the jobs have printed.
std::string jobs_json(const std::vector<Job>& jobs, const std::string& folder);

/// A table with a line for each project.
std::string project_table(const std::vector<StoredProject>& projects);

}  // namespace tessera::queue
