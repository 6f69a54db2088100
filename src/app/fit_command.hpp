// tessera fit PARAMETERS... --stars STARS... -o OUT.h5
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <utility>
#include <vector>

#include "app/fit_device.hpp"
#include "app/likelihood_choices.hpp"
#include "app/rerun_command.hpp"
#include "core/stop_flag.hpp"
#include "io/hdf5/h5.hpp"
#include "io/streams/fit_settings.hpp"
#include "likelihood/fit/fit_choices.hpp"
#include "likelihood/model/input.hpp"
#include "mpi/communicator.hpp"

namespace tessera::app {

class FitCommand {
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
    /// The settings of the parameter file, replaced by those of the command line.
    io::FitSettings settings(const io::TextSource& parameters) const;

  private:
    void declare_search_options();
    /// Turns the options into the validated input.
    void finish_input();

    CLI::App* command_ = nullptr;
    ExpectedInput expected_;
    likelihood::LikelihoodInput input_;
    FitRunOptions options_;
    ModelOptions model_;
    IntegrationOptions integration_;
    likelihood::FitChoices choices_;
};

/// What tessera info prints about the output of tessera fit.
std::string describe_fit(const io::h5::Group& root);

}  // namespace tessera::app
