// The options of tessera likelihood.
#include <filesystem>

#include "cli/likelihood_command.hpp"
#include "cli/run_common.hpp"
#include "core/error.hpp"

namespace tessera::cli {

void LikelihoodCommand::declare(CLI::App& app) {
    command_ = app.add_subcommand("likelihood", "Likelihood of a model of stellar streams");
    command_->footer(
        "Examples:\n"
        "  tessera likelihood stripe20.toml --stars stars-20.txt -o run.h5\n"
        "  tessera likelihood 79.toml 82.toml --stars stars-79.txt stars-82.txt -o two.h5");
    auto& o = *command_;
    o.add_option("parameters", input_.parameters,
                 "a parameter file a wedge: TOML or a MilkyWay@Home text file, plain or .gz")
        ->required();
    o.add_option("--stars", input_.stars, "a star file a wedge, in the same order, plain or .gz")
        ->required();
    o.add_option("-o,--output", options_.output, "HDF5 file to write")->required();
    o.add_option(
         "--integration", integration_,
         "exact: every point of the grid; compressed: the same to the tolerance, far faster")
        ->check(CLI::IsMember({"exact", "compressed"}));
    o.add_option("--quadrature", quadrature_,
                 "Gauss-Legendre weights: the MilkyWay@Home application's own, or true ones")
        ->check(CLI::IsMember({"milkyway", "gauss"}));
    o.add_option("--tolerance", input_.evaluation.tolerance,
                 "relative, of the compressed integration, on every integral and the likelihood");
    o.add_option("--precision", precision_,
                 "of the exact integration: double, single-compensated, or single for comparison")
        ->check(CLI::IsMember({"double", "single-compensated", "single"}));
    o.add_option("--model", model_, "of text files: classic or 2018; default: by their layout")
        ->check(CLI::IsMember({"classic", "2018"}));
    o.add_option("--turnoff", turnoff_, "of text files: gaussian or newby2011; default gaussian")
        ->check(CLI::IsMember({"gaussian", "newby2011"}));
    o.add_option("--background-profile", profile_,
                 "of text files: hernquist or broken-power-law; default hernquist")
        ->check(CLI::IsMember({"hernquist", "broken-power-law"}));
    o.add_option("--device", options_.device, "auto, cuda, openmp or serial");
    o.add_flag("--force", options_.force, "replace an existing output");
    o.add_flag("--quiet", options_.quiet, "errors only");
    declare_schedule_options(o, options_.schedule);
}

void LikelihoodCommand::finish_input() {
    using namespace likelihood;
    if (!model_.empty()) input_.choices.model = io::model_named(model_, "--model");
    if (!turnoff_.empty()) input_.choices.turnoff = io::turnoff_named(turnoff_, "--turnoff");
    if (!profile_.empty())
        input_.choices.profile = io::profile_named(profile_, "--background-profile");
    input_.integration = integration_ == "exact" ? Integration::exact : Integration::compressed;
    input_.evaluation.quadrature =
        quadrature_ == "gauss" ? Quadrature::gauss : Quadrature::milkyway;
    using kernels::Precision;
    input_.evaluation.precision = precision_ == "single"   ? Precision::single_plain
                                  : precision_ == "double" ? Precision::double_precision
                                                           : Precision::single_compensated;
    validate(input_);
    for (const auto* paths : {&input_.parameters, &input_.stars})
        for (const std::string& path : *paths) {
            std::error_code ignored;
            if (std::filesystem::equivalent(path, options_.output, ignored))
                throw Error("cannot write '" + options_.output + "'", "it is an input of this run",
                            "choose another name");
        }
}

}  // namespace tessera::cli
