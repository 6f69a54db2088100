// The ways in which this machine could do a job: a build, its devices, and the plan for them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "choice/ask.hpp"
#include "choice/builds.hpp"
#include "plan/job_plan.hpp"

namespace tessera::choice {

struct Candidate {
    std::string build;                  ///< name of the build; "a + b" of a mixture
    std::string devices;                ///< "cuda:0", "2 GPUs", "cpu"
    std::vector<std::string> command;   ///< what one would type
    std::string why_not;                ///< the rule that rules it out, or empty
    std::optional<plan::JobPlan> plan;  ///< always there if nothing rules it out

    bool can_run() const { return why_not.empty(); }
};

struct Job {
    std::vector<std::string> words;  ///< of the command, from the workload on
    bool mixed = false;              ///< whether GPUs and processors may share the work
    bool has_mpirun = true;          ///< whether several ranks can be started
};

/// Asks each build which devices it has, and then for its plans on them. Simpler candidates come
/// first: one GPU, processors, several GPUs, and both. GPUs of one model count as equal. Throws
/// Error if a build finds the command itself wrong.
std::vector<Candidate> list_candidates(const std::vector<Build>& builds, const Job& job,
                                       const Ask& ask);

/// The candidates of this machine for a command. Takes seconds. Throws Error likewise.
std::vector<Candidate> compare_builds(const std::vector<std::string>& words, bool mixed);

}  // namespace tessera::choice
