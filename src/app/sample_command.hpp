// tessera sample PARAMETERS... --stars STARS... -o OUT.h5
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <utility>

#include "app/fit_device.hpp"
#include "app/likelihood_choices.hpp"
#include "app/rerun_command.hpp"
#include "core/stop_flag.hpp"
#include "io/hdf5/h5.hpp"
#include "likelihood/model/input.hpp"
#include "likelihood/sample/sample_problem.hpp"
#include "mpi/communicator.hpp"

namespace tessera::app {

class SampleCommand {
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
    const FitRunOptions& options() const { return options_; }
    const likelihood::SampleChoices& choices() const { return choices_; }

  private:
    void declare_sampler_options();
    /// Turns the options into the validated input.
    void finish_input();

    CLI::App* command_ = nullptr;
    ExpectedInput expected_;
    likelihood::LikelihoodInput input_;
    FitRunOptions options_;
    ModelOptions model_;
    IntegrationOptions integration_;
    likelihood::SampleChoices choices_;
    std::string method_ = "nuts", hills_ = "off";
};

/// What tessera info prints about the output of tessera sample.
std::string describe_sample(const io::h5::Group& root);

}  // namespace tessera::app
