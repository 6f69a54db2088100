#include "queue/job_list.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/terminal.hpp"
#include "io/text/shell_word.hpp"
#include "queue/clock.hpp"
#include "queue/job_process.hpp"
#include "queue/submission.hpp"

namespace tessera::queue {

namespace {

using Json = nlohmann::ordered_json;

std::string command_line(const Job& job) {
    std::string line;
    for (const std::string& word : job.request.command)
        line += (line.empty() ? "" : " ") + io::shell_word(word);
    return printable(line);
}

std::string state_text(const Job& job) {
    if (job.state == JobState::running && job.cancelling) return "cancelling";
    if (job.state == JobState::running && job.stopping) return "stopping";
    if (job.state == JobState::waiting && job.attempts > 0) return "preempted";
    return name_of(job.state);
}

std::string cores_text(const Job& job) {
    if (job.request.cores > 0) return std::to_string(job.request.cores);
    return job.request.gpus > 0 ? "1" : "all";
}

std::string gpus_text(const Job& job) {
    if (!job.held.empty()) return fmt::format("{} ({})", job.held.size(), joined(job.held));
    if (!job.request.gpu.empty()) return "1 (" + job.request.gpu + ")";
    return std::to_string(job.request.gpus);
}

template <class Type>
Json or_null(const std::optional<Type>& value) {
    return value ? Json(*value) : Json(nullptr);
}

}  // namespace

std::string job_table(const std::vector<Job>& jobs) {
    std::string text = fmt::format(
        "{:>5}  {:<12} {:<10} {:>5} {:>6} {:>8}  {:>8} {:>8}  {:<19}  {}\n", "job", "project",
        "state", "cores", "GPUs", "priority", "ran", "of", "deadline", "command");
    for (const Job& job : jobs) {
        const JobRequest& asked = job.request;
        text += fmt::format("{:>5}  {:<12} {:<10} {:>5} {:>6} {:>8}  {:>8} {:>8}  {:<19}  {}\n",
                            job.id, printable(asked.project), state_text(job), cores_text(job),
                            gpus_text(job), asked.priority, duration_text(job.ran),
                            asked.seconds ? duration_text(*asked.seconds) : "?",
                            asked.deadline ? time_text(*asked.deadline) : "", command_line(job));
        if (!job.reason.empty()) text += "       " + printable(job.reason) + "\n";
    }
    return text;
}

std::string jobs_json(const std::vector<Job>& jobs, const std::string& folder) {
    Json all = Json::array();
    for (const Job& job : jobs) {
        const JobFiles files(folder, job.id);
        all.push_back({{"id", job.id},
                       {"project", job.request.project},
                       {"state", state_text(job)},
                       {"command", job.request.command},
                       {"folder", job.request.folder},
                       {"cores", job.request.cores},
                       {"gpus", job.request.gpus},
                       {"gpu", job.request.gpu},
                       {"gpus_held", job.held},
                       {"priority", job.request.priority},
                       {"deadline", or_null(job.request.deadline)},
                       {"predicted_seconds", or_null(job.request.seconds)},
                       {"ran_seconds", job.ran},
                       {"submitted", job.submitted},
                       {"began", or_null(job.began)},
                       {"ended", or_null(job.ended)},
                       {"attempts", job.attempts},
                       {"preemptions", job.preemptions},
                       {"exit_code", or_null(job.exit_code)},
                       {"reason", job.reason},
                       {"output", files.path("out")},
                       {"errors", files.path("err")}});
    }
    return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string project_table(const std::vector<StoredProject>& projects) {
    std::string text = fmt::format("{:<12} {:>6} {:>11} {:>11} {:>14}\n", "project", "share",
                                   "core-hours", "GPU-hours", "owed core-hours");
    for (const StoredProject& project : projects)
        text += fmt::format("{:<12} {:>6} {:>11.3f} {:>11.3f} {:>14.3f}\n", printable(project.name),
                            project.share, project.core_seconds / 3600, project.gpu_seconds / 3600,
                            project.debt / 3600);
    return text;
}

}  // namespace tessera::queue
