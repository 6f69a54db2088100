// tessera plan dock|screen|orbital|likelihood|fit|sample ...
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "app/dock_command.hpp"
#include "app/fit_command.hpp"
#include "app/likelihood_command.hpp"
#include "app/orbital_command.hpp"
#include "app/sample_command.hpp"
#include "app/screen_command.hpp"
#include "mpi/communicator.hpp"
#include "plan/plan_request.hpp"

namespace tessera::app {

/// Takes the options of a workload, prepares its input, and prints where a run would compute and
/// how long it would take. It computes a small sample only, and writes nothing.
class PlanCommand {
  public:
    void declare(CLI::App& app);
    bool chosen() const { return command_->parsed(); }
    /// Whether there are several builds to plan for. They are then asked one by one.
    bool compares() const;
    /// Prints the plans of all builds for the command that follows "plan" in `words`, and which one
    /// is chosen. Returns as run().
    int compare(const std::vector<std::string>& words) const;
    /// Called by all ranks. Returns 0, or ExitCode::resources if the job could not run.
    int run(const mpi::Communicator& world);

  private:
    std::string output_file() const;
    /// The plan of this rank.
    plan::LocalPlan plan_here(plan::PlanRequest request);
    /// Of the workload that is planned.
    const kernels::DeviceChoice& device_choice() const;

    CLI::App* command_ = nullptr;
    DockCommand dock_;
    ScreenCommand screen_;
    OrbitalCommand orbital_;
    LikelihoodCommand likelihood_;
    FitCommand fit_;
    SampleCommand sample_;
    std::string for_device_;
    bool json_ = false, this_build_ = false, mixed_ = false;
};

}  // namespace tessera::app
