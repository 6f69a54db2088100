// tessera likelihood PARAMETERS... --stars STARS... -o OUT.h5
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <utility>

#include "app/likelihood_choices.hpp"
#include "app/rerun_command.hpp"
#include "core/stop_flag.hpp"
#include "io/hdf5/h5.hpp"
#include "kokkos_kernels/device/device_choice.hpp"
#include "likelihood/model/input.hpp"
#include "mpi/communicator.hpp"
#include "mpi/scheduling/node_tile_iterator.hpp"

namespace tessera::app {

/// How a likelihood run is carried out. These options do not change its result.
struct LikelihoodRunOptions {
    std::string output;
    kernels::DeviceChoice device;
    bool force = false;
    bool quiet = false;
    mpi::NodeTileOptions schedule;
};

class LikelihoodCommand {
  public:
    void declare(CLI::App& app);
    bool chosen() const { return command_->parsed(); }
    /// The run must have this input.
    void expect(ExpectedInput input) { expected_ = std::move(input); }
    /// Called by all ranks. Returns the exit code.
    int run(const mpi::Communicator& world, const std::string& command_line, const StopFlag& stop);
    /// The validated input, for plans.
    const likelihood::LikelihoodInput& finished_input() {
        finish_input();
        return input_;
    }
    const LikelihoodRunOptions& options() const { return options_; }

  private:
    /// Turns the options into the validated input.
    void finish_input();

    CLI::App* command_ = nullptr;
    ExpectedInput expected_;
    likelihood::LikelihoodInput input_;
    LikelihoodRunOptions options_;
    ModelOptions model_;
    IntegrationOptions integration_;
};

/// What tessera info prints about the output of tessera likelihood.
std::string describe_likelihood(const io::h5::Group& root);

}  // namespace tessera::app
