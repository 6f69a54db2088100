#include "queue/runner.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "io/text/counted.hpp"
#include "queue/clock.hpp"
#include "queue/job_end.hpp"
#include "queue/job_process.hpp"
#include "queue/policy.hpp"
#include "queue/runner_lock.hpp"
#include "queue/submission.hpp"

namespace tessera::queue {

namespace {

constexpr double cancel_patience = 60;  // s until a cancelled job is killed
constexpr double save_interval = 5;     // s between two times at which accounts are written

class Runner {
  public:
    Runner(JobStore& store, const RunnerOptions& options, const StopFlag& stop,
           const std::function<void(const std::string&)>& tell)
        : store_(store),
          options_(options),
          stop_(stop),
          tell_(tell),
          lock_(store.path()),
          fetch_(options.fetch, store.path()) {
        std::filesystem::create_directories(jobs_folder(store.path()));
        reload();
        for (const Job& job : jobs_)  // an earlier runner may have been killed before it did so
            if (job.stopping) signal_job(files_of(job), stop_signal(job.request.command));
    }

    RunnerEnd run() {
        while (true) {
            note_processes();
            keep_accounts();
            if (store_.has_news()) reload();
            collect();
            if (stop_.is_set()) {
                stop_all();
                if (!any_running()) return RunnerEnd::stopped;
            } else if (now_ >= next_decision_) {
                schedule();
                if (options_.until_empty && !any_running()) {
                    if (jobs_.empty() && fetch_.is_dry()) return RunnerEnd::empty;
                    if (!jobs_.empty() && nothing_fits() && !fetch_.is_at_work())
                        return RunnerEnd::stuck;
                }
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
    }

  private:
    JobFiles files_of(const Job& job) const { return {jobs_folder(store_.path()), job.id}; }

    State state() const { return view_of(jobs_, projects_, options_, now_); }

    /// Keepers that have ended are of no interest.
    void note_processes() {
        int status = 0;
        for (pid_t ended = 0; (ended = waitpid(-1, &status, WNOHANG)) > 0;)
            if (const auto told = fetch_.note_end(ended, status, store_.newest(), now_)) {
                tell_(*told);
                next_decision_ = 0;
            }
    }

    void fetch_work() {
        if (options_.fetch.sources.empty()) return;
        if (const auto told = fetch_.look(state(), projects_, store_.newest())) tell_(*told);
    }

    bool any_running() const {
        return std::ranges::any_of(jobs_,
                                   [](const Job& job) { return job.state == JobState::running; });
    }

    bool nothing_fits() const {
        const State all = state();
        return std::ranges::none_of(all.jobs,
                                    [&](const JobView& job) { return fits(job, all.machine); });
    }

    void reload() {
        save();
        jobs_ = store_.jobs(false);
        projects_ = store_.projects();
        next_decision_ = 0;
    }

    /// Charges the time since the last call to jobs and projects.
    void keep_accounts() {
        const double before = std::exchange(now_, seconds_now());
        const double seconds = std::clamp(now_ - before, 0.0, 60.0);  // clocks may be set
        State view = state();
        account(view, seconds);
        for (std::size_t i = 0; i < jobs_.size(); ++i) {
            if (jobs_[i].state != JobState::running) continue;
            jobs_[i].ran += seconds;
            StoredProject& project = projects_[view.jobs[i].project];
            project.core_seconds += seconds * view.jobs[i].cores;
            project.gpu_seconds += seconds * view.jobs[i].gpus;
        }
        for (std::size_t p = 0; p < projects_.size(); ++p)
            projects_[p].debt = view.projects[p].debt;
        if (now_ - saved_ > save_interval) save();
    }

    void save() {
        saved_ = now_;
        store_.together([&] {
            for (const Job& job : jobs_)
                if (job.state == JobState::running) store_.update(job);
            store_.update(projects_);
        });
    }

    /// Notes the ends of jobs, and obeys those who want an end.
    void collect() {
        for (Job& job : jobs_) {
            if (job.state != JobState::running) continue;
            const JobFiles files = files_of(job);
            if (is_alive(files)) {
                if (job.cancelling) cancel(job);
                continue;
            }
            end_attempt(job, ending_of(files, job.attempts), last_error_line(files), now_);
            store_.update(job);
            next_decision_ = 0;
            tell_(fmt::format("job {}: {}{}", job.id, name_of(job.state),
                              job.reason.empty() ? "" : " (" + job.reason + ")"));
        }
        std::erase_if(jobs_, [](const Job& job) { return has_ended(job.state); });
    }

    /// The slice of a job that stops is over, so the end of it says when to kill a cancelled one.
    void cancel(Job& job) {
        if (!job.stopping) ask_to_stop(job, "cancelled");
        if (job.protected_until == 0)
            job.protected_until = now_ + cancel_patience;
        else if (now_ > job.protected_until)
            signal_job(files_of(job), SIGKILL);
    }

    void ask_to_stop(Job& job, const char* why) {
        job.stopping = true;
        job.protected_until = 0;
        store_.update(job);
        signal_job(files_of(job), stop_signal(job.request.command));
        tell_(fmt::format("job {}: stops at its next tile ({})", job.id, why));
    }

    void stop_all() {
        for (Job& job : jobs_)
            if (job.state == JobState::running && !job.stopping) ask_to_stop(job, "runner ends");
    }

    void schedule() {
        fetch_work();
        const Steps steps = next_steps(state(), Policy::shares_and_deadlines);
        for (const std::size_t i : steps.stop) {
            ++jobs_[i].preemptions;
            ask_to_stop(jobs_[i], "makes room");
        }
        for (const Placement& placement : steps.continues)
            jobs_[placement.job].protected_until = placement.protected_until;
        for (const Placement& placement : steps.start) start(jobs_[placement.job], placement);
        // A deadline may become urgent although nothing happens.
        next_decision_ = now_ + std::max(options_.slice / 10, 0.1);
        for (const Job& job : jobs_)
            if (job.state == JobState::running && job.protected_until > now_)
                next_decision_ = std::min(next_decision_, job.protected_until);
    }

    void start(Job& job, const Placement& placement) {
        const Job before = job;
        job.state = JobState::running;
        job.stopping = false;
        job.protected_until = placement.protected_until;
        job.held.clear();
        for (const int gpu : placement.gpus)
            job.held.push_back(options_.gpus[static_cast<std::size_t>(gpu)]);
        if (!job.began) job.began = now_;
        ++job.attempts;
        // First the queue, then the process: so no job can be started twice.
        if (!store_.update(job)) {
            job = before;  // cancelled just now
            return;
        }
        start_job(files_of(job),
                  {job.request.command, job.request.folder, variables_of(job), job.attempts});
        const int cores = cores_of(job.request, options_);
        tell_(fmt::format("job {}: starts on {}{}{}", job.id, io::counted(cores, "core"),
                          job.held.empty() ? "" : ", GPU " + joined(job.held),
                          job.attempts > 1 ? fmt::format(", attempt {}", job.attempts) : ""));
    }

    std::vector<std::string> variables_of(const Job& job) const {
        std::vector<std::string> variables = job.request.environment;
        variables.push_back(fmt::format("OMP_NUM_THREADS={}", cores_of(job.request, options_)));
        variables.push_back("CUDA_VISIBLE_DEVICES=" + joined(job.held));
        // Ranks of two jobs would be bound to the same cores.
        if (!std::getenv("OMPI_MCA_hwloc_base_binding_policy"))
            variables.push_back("OMPI_MCA_hwloc_base_binding_policy=none");
        return variables;
    }

    JobStore& store_;
    RunnerOptions options_;
    const StopFlag& stop_;
    const std::function<void(const std::string&)>& tell_;
    RunnerLock lock_;
    WorkFetch fetch_;
    std::vector<Job> jobs_;  ///< that have not ended
    std::vector<StoredProject> projects_;
    double now_ = seconds_now(), saved_ = now_, next_decision_ = 0;
};

}  // namespace

RunnerEnd run_queue(JobStore& store, const RunnerOptions& options, const StopFlag& stop,
                    const std::function<void(const std::string&)>& tell) {
    return Runner(store, options, stop, tell).run();
}

}  // namespace tessera::queue
