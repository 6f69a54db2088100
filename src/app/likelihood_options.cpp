// The options of tessera likelihood (LikelihoodCommand, declared in likelihood_command.hpp).
#include "app/config_file.hpp"
#include "app/likelihood_command.hpp"
#include "app/schedule_options.hpp"

namespace tessera::app {

void LikelihoodCommand::declare(CLI::App& app) {
    command_ = app.add_subcommand("likelihood", "Log likelihood of a model of stellar streams");
    command_->footer(
        "Examples:\n"
        "  tessera likelihood stripe20.toml --stars stars-20.txt -o run.h5\n"
        "  tessera likelihood 79.toml 82.toml --stars stars-79.txt stars-82.txt -o two.h5");
    auto& o = *command_;
    o.add_option("parameters", input_.parameters,
                 "parameter files, one for each wedge: TOML or MilkyWay@Home text, plain or .gz")
        ->required();
    o.add_option("--stars", input_.stars,
                 "star files, one for each parameter file in the same order, plain or .gz")
        ->required();
    o.add_option("-o,--output", options_.output, "HDF5 file to write")->required();
    declare_memberships(o, input_);
    declare_stars_outside(o, input_);
    declare_empty_streams(o, input_);
    integration_.declare(o, input_);
    model_.declare(o);
    declare_device_options(o, options_.device);
    declare_config_option(o);
    o.add_flag("--force", options_.force, "replace an existing output");
    o.add_flag("--quiet", options_.quiet, "print errors only");
    declare_schedule_options(o, options_.schedule);
}

void LikelihoodCommand::finish_input() {
    input_.choices = model_.choices();
    integration_.finish(input_);
    likelihood::validate(input_);
    require_other_name(options_.output, input_);
}

}  // namespace tessera::app
