#include "app/queue_command.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <thread>
#include <utility>

#include "app/job_prediction.hpp"
#include "app/option_checks.hpp"
#include "choice/ask.hpp"
#include "core/error.hpp"
#include "core/terminal.hpp"
#include "io/text/counted.hpp"
#include "plan/job_plan.hpp"
#include "queue/clock.hpp"
#include "queue/job_list.hpp"
#include "queue/job_process.hpp"
#include "queue/job_store.hpp"
#include "queue/runner.hpp"
#include "queue/runner_lock.hpp"
#include "queue/submission.hpp"

namespace tessera::app {

namespace {

using queue::JobState;
using queue::JobStore;

constexpr int most_cores = 1 << 20;
constexpr double longest = 1e9;  // s

void tell(const std::string& line) {
    print_line(stdout, queue::time_text(queue::seconds_now()) + "  " + line);
    std::fflush(stdout);
}

void warn_without_runner(const std::string& path) {
    if (queue::runner_of(path) == 0)
        print_line(stderr, "no runner has this queue: start one with tessera queue run");
}

}  // namespace

CLI::App* QueueCommand::add(const char* name, const char* description) {
    CLI::App* command = command_->add_subcommand(name, description);
    command
        ->add_option("--queue", queue_,
                     "file of the queue; default: $TESSERA_QUEUE, or "
                     "~/.local/share/tessera/queue.db")
        ->check(not_empty("a file"));
    return command;
}

void QueueCommand::declare_submit() {
    submit_ = add("submit", "Put a command into the queue");
    submit_->footer("Examples:\n"
                    "  tessera queue submit -- tessera dock receptor.pdb ligand.pdb -o run.h5\n"
                    "  tessera queue submit --gpus 1 --project screens --seconds 3600 \\\n"
                    "      --deadline +8h -- tessera screen receptors.csv ligands.csv -o screen/");
    auto& o = *submit_;
    o.add_option("--project", request_.project, "project that pays for the job")
        ->check(not_empty("a name of a project"));
    o.add_option("--cores", request_.cores,
                 "cores of the job; default: all of the machine, or 1 with a GPU")
        ->check(whole_number(1, most_cores))
        ->default_str("");
    auto* gpus = o.add_option("--gpus", request_.gpus, "number of GPUs of the job")
                     ->check(whole_number(0, 1024));
    o.add_option("--gpu", request_.gpu, "the GPU of the job, by its name in CUDA_VISIBLE_DEVICES")
        ->check(not_empty("a GPU"))
        ->excludes(gpus);
    o.add_option("--priority", request_.priority,
                 "jobs of a greater priority are first within their project")
        ->check(CLI::Range(-1000, 1000));
    o.add_option("--deadline", deadline_,
                 "when the job should have ended, such as '2026-11-27 08:00' or +8h");
    auto* seconds = o.add_option("--seconds", seconds_,
                                 "how long the job takes, such as tessera plan predicts; "
                                 "default: unknown")
                        ->check(number_above_0(longest))
                        ->default_str("");
    o.add_flag("--predict", predict_, "ask tessera plan how long the job takes")->excludes(seconds);
    o.add_option("command", request_.command, "the command and its words, after --")->required();
}

void QueueCommand::declare_run() {
    run_ = add("run", "Run the jobs of the queue on this machine");
    run_->footer("Examples:\n"
                 "  tessera queue run\n"
                 "  tessera queue run --until-empty --cores 8 --gpus 0,1\n"
                 "After SIGTERM or Ctrl-C all jobs stop at their next tile, and the exit code is "
                 "75.");
    auto& o = *run_;
    options_.cores = queue::cores_here();
    o.add_option("--cores", options_.cores, "cores that jobs may use; default: all of the machine")
        ->check(whole_number(1, most_cores))
        ->default_str("");
    o.add_option("--gpus", gpus_,
                 "GPUs that jobs may use, separated by commas; default: CUDA_VISIBLE_DEVICES, or "
                 "all of the machine");
    o.add_option("--slice", options_.slice,
                 "seconds that a job runs before one of another project may take its place")
        ->check(number_above_0(longest));
    o.add_option("--gpu-weight", options_.gpu_weight,
                 "cores that a GPU counts for in the shares of projects")
        ->check(number_above_0(1e6));
    o.add_flag("--until-empty", options_.until_empty, "end when all jobs have ended");
    auto* fetch = o.add_option("--fetch", sources_,
                               "PROJECT=COMMAND: a command of the shell that submits jobs of a "
                               "project when work is short; may be repeated")
                      ->allow_extra_args(false);
    o.add_option("--low-water", options_.fetch.marks.low,
                 "seconds of predicted work below which work is fetched")
        ->check(number_above_0(longest))
        ->needs(fetch);
    o.add_option("--high-water", options_.fetch.marks.high,
                 "seconds of predicted work up to which work is fetched")
        ->check(number_above_0(longest))
        ->needs(fetch);
}

void QueueCommand::declare(CLI::App& app) {
    command_ = app.add_subcommand("queue", "Run many commands on this machine, by shares, "
                                           "priorities and deadlines");
    command_->footer("Example:\n"
                     "  tessera queue submit -- tessera dock receptor.pdb ligand.pdb -o run.h5\n"
                     "  tessera queue run --until-empty");
    command_->require_subcommand(1);
    declare_submit();
    declare_run();
    list_ = add("list", "List the jobs of the queue");
    list_->add_flag("--all", all_, "also those that have ended");
    list_->add_flag("--json", json_, "print JSON (docs/reference/formats.md)");
    cancel_ = add("cancel", "Take jobs out of the queue; those that run are stopped");
    cancel_->add_option("job", ids_, "numbers of jobs")->required();
    wait_ = add("wait", "Wait until jobs have ended; exit code 0 if all of them are done");
    wait_->add_option("job", ids_, "numbers of jobs")->required();
    projects_ = add("projects", "List the projects, their shares, and what they are owed");
    share_ = add("share", "Set the share of a project");
    share_->add_option("project", project_, "name of the project")
        ->required()
        ->check(not_empty("a name of a project"));
    share_->add_option("share", share_value_, "its share; new projects have 1")
        ->required()
        ->check(number_above_0(1e6));
}

int QueueCommand::submit() const {
    queue::JobRequest request = request_;
    const double now = queue::seconds_now();
    if (!request.gpu.empty()) request.gpus = 1;
    if (!deadline_.empty()) request.deadline = queue::read_time(deadline_, now);
    if (seconds_ > 0) request.seconds = seconds_;
    if (predict_) {
        request.seconds =
            predicted_seconds(request, queue::cores_here(), queue::gpus_here(), choice::ask);
        print_line(stderr,
                   fmt::format("tessera plan predicts {}", plan::duration_text(*request.seconds)));
    }
    request.folder = std::filesystem::current_path().string();
    request.environment = queue::environment_that_matters();
    const std::string path = queue::queue_path(queue_);
    const std::int64_t id = JobStore(path, JobStore::Open::make).submit(request, now);
    print_line(stdout, std::to_string(id));
    return 0;
}

int QueueCommand::list() const {
    const std::string path = queue::queue_path(queue_);
    JobStore store(path, JobStore::Open::existing);
    const auto jobs = store.jobs(all_);
    if (json_) {
        print_text(stdout, queue::jobs_json(jobs, queue::jobs_folder(path)));
        return 0;
    }
    print_text(stdout, queue::job_table(jobs));
    warn_without_runner(path);
    return 0;
}

int QueueCommand::cancel() const {
    JobStore store(queue::queue_path(queue_), JobStore::Open::existing);
    for (const std::int64_t id : ids_) {
        const JobState before = store.cancel(id, queue::seconds_now());
        const char* said = before == JobState::waiting   ? "cancelled"
                           : before == JobState::running ? "stops"
                                                         : "has ended already";
        print_line(stdout, fmt::format("job {}: {}", id, said));
    }
    return 0;
}

int QueueCommand::wait() const {
    const std::string path = queue::queue_path(queue_);
    JobStore store(path, JobStore::Open::existing);
    std::string ended_badly;
    bool warned = false;
    for (const std::int64_t id : ids_) {
        auto job = store.job(id);
        for (; job && !queue::has_ended(job->state); job = store.job(id)) {
            if (!std::exchange(warned, true)) warn_without_runner(path);
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
        }
        if (!job)
            throw Error(fmt::format("there is no job {}", id), "the queue has no such number",
                        "see tessera queue list --all");
        if (job->state == JobState::done || !ended_badly.empty()) continue;
        ended_badly = fmt::format("job {} {}", id,
                                  job->state == JobState::failed ? "has failed" : "was cancelled");
        if (!job->reason.empty()) ended_badly += ": " + job->reason;
    }
    if (!ended_badly.empty())
        throw Error("not all jobs are done", ended_badly,
                    "see its files in " + queue::jobs_folder(path), ExitCode::resources);
    return 0;
}

int QueueCommand::run() const {
    if (submit_->parsed()) return submit();
    if (list_->parsed()) return list();
    if (cancel_->parsed()) return cancel();
    if (wait_->parsed()) return wait();
    JobStore store(queue::queue_path(queue_),
                   share_->parsed() ? JobStore::Open::make : JobStore::Open::existing);
    if (share_->parsed())
        store.set_share(project_, share_value_);
    else
        print_text(stdout, queue::project_table(store.projects()));
    return 0;
}

int QueueCommand::run_jobs(const StopFlag& stop) const {
    queue::RunnerOptions options = options_;
    for (const std::string& text : sources_)
        options.fetch.sources.push_back(queue::read_source(text));
    if (options.fetch.marks.high < options.fetch.marks.low)
        throw Error(
            "the high-water mark is below the low one",
            fmt::format("{:g} s and {:g} s", options.fetch.marks.high, options.fetch.marks.low),
            "give --high-water at least as much as --low-water");
    options.gpus = gpus_.empty() ? queue::gpus_here() : queue::listed(gpus_);
    const std::string path = queue::queue_path(queue_);
    JobStore store(path, JobStore::Open::make);
    tell(fmt::format("queue {}: {}, {}", path, io::counted(options.cores, "core"),
                     io::counted(options.gpus.size(), "GPU")));
    switch (queue::run_queue(store, options, stop, tell)) {
        case queue::RunnerEnd::stopped:
            throw Error("the runner stopped", "a signal asked for it",
                        "start it again; jobs go on where they were", ExitCode::requeue);
        case queue::RunnerEnd::stuck:
            throw Error("the jobs that are left cannot run here",
                        "they need more cores or GPUs than this runner has",
                        "see tessera queue list, and give it more with --cores and --gpus",
                        ExitCode::resources);
        default: tell("all jobs have ended"); return 0;
    }
}

}  // namespace tessera::app
