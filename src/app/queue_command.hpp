// tessera queue submit|run|list|cancel|wait|projects|share
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "core/stop_flag.hpp"
#include "queue/job.hpp"
#include "queue/runner_view.hpp"

namespace tessera::app {

/// A queue of commands on this machine.
class QueueCommand {
  public:
    void declare(CLI::App& app);
    bool chosen() const { return command_->parsed(); }
    /// Whether it is `tessera queue run`, which stops its jobs when a signal arrives.
    bool runs_jobs() const { return run_->parsed(); }
    /// All commands but `run`.
    int run() const;
    int run_jobs(const StopFlag& stop) const;

  private:
    CLI::App* add(const char* name, const char* description);
    void declare_submit();
    void declare_run();
    int submit() const;
    int list() const;
    int cancel() const;
    int wait() const;

    CLI::App* command_ = nullptr;
    CLI::App *submit_ = nullptr, *run_ = nullptr, *list_ = nullptr, *cancel_ = nullptr,
             *wait_ = nullptr, *projects_ = nullptr, *share_ = nullptr;
    std::string queue_, deadline_, gpus_, project_;
    queue::JobRequest request_;
    queue::RunnerOptions options_;
    std::vector<std::string> sources_;
    double seconds_ = 0, share_value_ = 1;
    std::vector<std::int64_t> ids_;
    bool all_ = false, json_ = false, predict_ = false;
};

}  // namespace tessera::app
