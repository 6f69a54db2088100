// The stored jobs and projects as the policy sees them.
#pragma once

#include <string>
#include <vector>

#include "queue/job.hpp"
#include "queue/job_store.hpp"
#include "queue/policy.hpp"
#include "queue/work_fetch.hpp"

namespace tessera::queue {

struct RunnerOptions {
    int cores = 1;
    std::vector<std::string> gpus{};  ///< names, as CUDA_VISIBLE_DEVICES has them
    double slice = 600;               ///< s
    double gpu_weight = 32;           ///< cores that a GPU counts for in the shares
    bool until_empty = false;
    FetchOptions fetch{};  ///< without sources no work is fetched
};

/// Cores of a job on this machine: all, or one with a GPU, unless it asks for a number.
int cores_of(const JobRequest& request, const RunnerOptions& options);

/// `jobs` have not ended; their order is kept.
State view_of(const std::vector<Job>& jobs, const std::vector<StoredProject>& projects,
              const RunnerOptions& options, double now);

}  // namespace tessera::queue
