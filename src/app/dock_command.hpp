// tessera dock RECEPTOR LIGAND -o OUT.h5
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <utility>

#include "app/rerun_command.hpp"
#include "core/stop_flag.hpp"
#include "docking/setup/dock_choices.hpp"
#include "docking/setup/dock_input.hpp"
#include "kokkos_kernels/device/device_choice.hpp"
#include "mpi/communicator.hpp"
#include "mpi/scheduling/node_tile_iterator.hpp"

namespace tessera::app {

/// How a run is carried out. These options do not change its result.
struct RunOptions {
    std::string output;
    std::string pairs;  ///< table of many pairs; `output` is then a folder
    kernels::DeviceChoice device;
    double memory_gib = 0;  ///< 0: most of the free device memory
    bool force = false;
    bool quiet = false;
    int report = 10;  ///< rows of the closing table
    mpi::NodeTileOptions schedule;
};

class DockCommand {
  public:
    void declare(CLI::App& app);
    bool chosen() const { return command_->parsed(); }
    /// The run must have this input.
    void expect(ExpectedInput input) { expected_ = std::move(input); }
    /// Called by all ranks. Returns the exit code.
    int run(const mpi::Communicator& world, const std::string& command_line, const StopFlag& stop);
    /// The same for a table of pairs, on a device that runs already.
    int run_pairs(const mpi::Communicator& world, const std::string& command_line,
                  const StopFlag& stop, const kernels::DeviceRuntime& device);
    /// The validated input, for plans.
    const docking::DockInput& finished_input() {
        finish_input();
        return input_;
    }
    const RunOptions& options() const { return options_; }

  private:
    void declare_pose_options();
    void declare_restriction_options();
    void declare_restraint_options();
    /// Turns the options into the validated input.
    void finish_input();
    /// Throws Error unless the command names either one pair or a table of pairs.
    void check_partners() const;
    /// Throws Error if the output would replace an input file.
    void keep_inputs() const;

    CLI::App* command_ = nullptr;
    ExpectedInput expected_;
    docking::DockInput input_;
    RunOptions options_;
    docking::DockChoices choices_;
    std::string precision_ = "single";
    std::string symmetry_;  ///< as parse_symmetry() takes it
};

}  // namespace tessera::app
