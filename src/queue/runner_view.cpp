#include "queue/runner_view.hpp"

#include <algorithm>

namespace tessera::queue {

namespace {

/// The number of a GPU of this machine, or one that it does not have.
int number_of(const std::string& gpu, const RunnerOptions& options) {
    return static_cast<int>(std::ranges::find(options.gpus, gpu) - options.gpus.begin());
}

/// A job that takes longer than predicted is expected to need a tenth more.
double seconds_left(const Job& job) {
    if (!job.request.seconds) return never;
    return std::max(*job.request.seconds - job.ran, 0.1 * *job.request.seconds);
}

JobView view_of(const Job& job, const RunnerOptions& options) {
    JobView view;
    view.id = job.id;
    view.cores = cores_of(job.request, options);
    view.gpus = job.request.gpus;
    if (!job.request.gpu.empty()) view.gpu = number_of(job.request.gpu, options);
    view.priority = job.request.priority;
    view.deadline = job.request.deadline.value_or(never);
    view.seconds_left = seconds_left(job);
    view.running = job.state == JobState::running;
    view.stopping = job.stopping || job.cancelling;
    view.protected_until = job.protected_until;
    const int machine = static_cast<int>(options.gpus.size());
    for (const std::string& gpu : job.held) {
        const int number = number_of(gpu, options);
        if (number < machine)
            view.held.push_back(number);
        else
            view.gpu = machine;  // an earlier runner had other GPUs: it does not fit here
    }
    return view;
}

}  // namespace

int cores_of(const JobRequest& request, const RunnerOptions& options) {
    if (request.cores > 0) return request.cores;
    return request.gpus > 0 ? 1 : options.cores;
}

State view_of(const std::vector<Job>& jobs, const std::vector<StoredProject>& projects,
              const RunnerOptions& options, double now) {
    State state;
    state.now = now;
    state.slice = options.slice;
    state.machine = {options.cores, static_cast<int>(options.gpus.size()), options.gpu_weight};
    for (const StoredProject& project : projects)
        state.projects.push_back({project.share, project.debt});
    for (const Job& job : jobs) {
        state.jobs.push_back(view_of(job, options));
        const auto place = std::ranges::find(projects, job.request.project, &StoredProject::name);
        state.jobs.back().project = static_cast<std::size_t>(place - projects.begin());
    }
    return state;
}

}  // namespace tessera::queue
