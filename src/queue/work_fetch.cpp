#include "queue/work_fetch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/error.hpp"
#include "queue/job_process.hpp"

namespace tessera::queue {

namespace {

using Variables = std::vector<std::pair<std::string, std::string>>;

/// In the new process: becomes the command, in a group of its own.
[[noreturn]] void become(const char* command, const Variables& variables, int log) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGUSR1}) signal(number, SIG_DFL);
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
    execl("/bin/sh", "sh", "-c", command, static_cast<char*>(nullptr));
    _exit(127);
}

/// Whether jobs of the project wait that can never run here. More of them would not help, and they
/// would be fetched without end.
bool has_useless_jobs(const State& state, std::size_t project) {
    return std::ranges::any_of(state.jobs, [&](const JobView& job) {
        return job.project == project && !fits(job, state.machine);
    });
}

std::string whole_seconds(double seconds) { return fmt::format("{:.0f}", seconds); }

}  // namespace

WorkFetch::WorkFetch(const FetchOptions& options, const std::string& database)
    : marks_(options.marks),
      turns_(options.sources),
      database_(std::filesystem::absolute(database).string()) {}

WorkFetch::~WorkFetch() {
    if (process_ != 0) kill(-process_, SIGTERM);
}

std::optional<std::string> WorkFetch::look(const State& state,
                                           const std::vector<StoredProject>& projects,
                                           std::int64_t newest) {
    if (process_ != 0) return std::nullopt;
    const Shortfall wanted = shortfall(state, marks_);
    if (!wanted.any()) return std::nullopt;
    const auto debt = [&](const std::string& name) -> std::optional<double> {
        const auto found = std::ranges::find(projects, name, &StoredProject::name);
        if (found == projects.end()) return 0;
        if (has_useless_jobs(state, static_cast<std::size_t>(found - projects.begin())))
            return std::nullopt;
        return found->debt;
    };
    const auto turn = turns_.next(debt, state.now);
    if (!turn) return std::nullopt;
    asked_ = *turn;
    newest_ = newest;
    start(turns_.source(asked_), wanted);
    return fmt::format("{}: asked for {:.0f} s of a core and {:.0f} s of a GPU",
                       turns_.source(asked_).project, wanted.core_seconds, wanted.gpu_seconds);
}

void WorkFetch::start(const Source& source, const Shortfall& wanted) {
    const Variables variables{{"TESSERA_QUEUE", database_},
                              {"TESSERA_QUEUE_PROJECT", source.project},
                              {"TESSERA_QUEUE_CORE_SECONDS", whole_seconds(wanted.core_seconds)},
                              {"TESSERA_QUEUE_GPU_SECONDS", whole_seconds(wanted.gpu_seconds)}};
    const std::string path = jobs_folder(database_) + "/fetch.log";
    const int log = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    const pid_t process = log < 0 ? -1 : fork();
    if (process == 0) become(source.command.c_str(), variables, log);
    const int why = errno;
    if (log >= 0) close(log);
    if (process < 0)
        throw Error("cannot fetch work", "'" + path + "': " + std::strerror(why),
                    "see whether the disk is full or there are too many processes",
                    ExitCode::resources);
    setpgid(process, process);  // in both processes: whoever comes first
    process_ = process;
}

std::optional<std::string> WorkFetch::note_end(pid_t process, int status, std::int64_t newest,
                                               double now) {
    if (process_ == 0 || process != process_) return std::nullopt;
    process_ = 0;
    const std::string& project = turns_.source(asked_).project;
    turns_.note(asked_, newest > newest_, now);
    if (newest > newest_) return fmt::format("{}: brought work", project);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return fmt::format("{}: had no work", project);
    return fmt::format("{}: brought no work (its command failed: see {}/fetch.log)", project,
                       jobs_folder(database_));
}

}  // namespace tessera::queue
