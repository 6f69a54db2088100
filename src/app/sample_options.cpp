// The options of tessera sample (SampleCommand, declared in sample_command.hpp).
#include <fmt/format.h>

#include <charconv>

#include "app/config_file.hpp"
#include "app/option_checks.hpp"
#include "app/sample_command.hpp"
#include "app/schedule_options.hpp"
#include "core/error.hpp"
#include "io/hdf5/output_path.hpp"
#include "io/text/one_line.hpp"

namespace tessera::app {

namespace {

constexpr int most_hills = 100;

int number_of_hills(const std::string& text) {
    if (text == "auto") return likelihood::SamplePlan::any_hills;
    if (text == "off") return 1;
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size() && number >= 1 &&
        number <= most_hills)
        return number;
    throw Error("cannot use --hills '" + io::one_line(text, 40) + "'",
                fmt::format("it is auto, off, or a number from 1 to {}", most_hills),
                "choose auto for as many hills as there are chains");
}

}  // namespace

void SampleCommand::declare(CLI::App& app) {
    input_.evaluation.tolerance = 1e-9;  // far below the noise of any number of draws
    command_ = app.add_subcommand("sample", "Draw from the posterior of stellar streams");
    command_->footer(
        "Examples:\n"
        "  tessera sample wedge.toml --stars stars.txt --fit fit.h5 -o posterior.h5\n"
        "  tessera sample 79.toml 82.toml --stars stars-79.txt stars-82.txt -o both.h5\n"
        "The second one has two wedges with one background.\n"
        "The same command continues a sampling that was stopped.");
    auto& o = *command_;
    o.add_option("parameters", input_.parameters,
                 "parameter files: TOML with tables [fit] and [prior], or MilkyWay@Home text; the "
                 "chains start near their models. Several wedges have one background and streams "
                 "of their own");
    o.add_option("--stars", input_.stars,
                 "star files, one for each parameter file in the same order, plain or .gz")
        ->required();
    o.add_option("-o,--output", options_.output, "HDF5 file to write")->required();
    o.add_option("--fit", choices_.fit,
                 "result of tessera fit for the same stars: the chains start near its best model "
                 "instead of the model of the parameter file")
        ->check(not_empty("a result of tessera fit"));
    declare_sampler_options();
    declare_stars_outside(o, input_);
    declare_empty_streams(o, input_);
    integration_.declare(o, input_);
    model_.declare(o);
    declare_device_options(o, options_.device);
    declare_config_option(o);
    o.add_flag("--force", options_.force,
               "replace an existing output and discard a stopped sampling");
    o.add_flag("--quiet", options_.quiet, "print errors only");
    declare_deadline_options(o, options_.deadline);
}

void SampleCommand::declare_sampler_options() {
    constexpr int most_draws = 1'000'000;
    auto& o = *command_;
    likelihood::SamplePlan& plan = choices_.plan;
    o.add_option("--method", method_,
                 "nuts: the No-U-Turn Sampler, by gradients; ensemble: the affine-invariant "
                 "ensemble sampler, by values alone, as a check")
        ->check(CLI::IsMember({"nuts", "ensemble"}));
    o.add_option("--chains", choices_.chains,
                 "number of chains; 0 (default): 4, or for an ensemble its walkers: 4 for each "
                 "free parameter, at least 32")
        ->check(whole_number<int>());
    o.add_option("--warmup", plan.warmup,
                 "draws of each chain that adapt the sampler and are not kept")
        ->check(whole_number<int>(0, most_draws));
    o.add_option("--draws", plan.draws, "draws of each chain that are kept")
        ->check(whole_number<int>(4, most_draws));
    o.add_option("--target-acceptance", plan.target_acceptance,
                 "mean acceptance probability of nuts, between 0 and 1; more means shorter steps");
    o.add_option("--max-depth", plan.most_doublings,
                 "largest number of doublings of a trajectory of nuts")
        ->check(whole_number<int>(1, 20));
    o.add_option("--hills", hills_,
                 "nuts looks for other hills of the posterior before it warms up, and samples "
                 "each with a metric of its own. off: the chains explore the hill on which they "
                 "begin; auto: as many as there are chains; a number: at most so many");
    o.add_option("--seed", plan.seed,
                 "seed of the random numbers, which decides the result; the number of ranks does "
                 "not")
        ->check(whole_number<std::uint64_t>());
    declare_parameter_names(
        o, "--free", choices_.free,
        "sample these parameters only, such as stream1.mu,stream1.r, or wedge2.stream1.mu of the "
        "second wedge; default: those of the parameter files");
    declare_parameter_names(
        o, "--fix", choices_.fix,
        "do not sample these parameters; they keep the values of the parameter file");
    declare_parameter_names(
        o, "--share", choices_.share,
        "these parameters of streams, such as stream1.sigma, are the same in all wedges that have "
        "the stream; default: those of the tables [fit.shared]");
}

void SampleCommand::finish_input() {
    using namespace likelihood;
    take_parameters_after_stars(input_, "sample");
    input_.choices = model_.choices();
    integration_.finish(input_);
    choices_.plan.sampler = method_ == "nuts" ? Sampler::nuts : Sampler::ensemble;
    const double target = choices_.plan.target_acceptance;
    if (!(target > 0 && target < 1))
        throw Error("cannot use --target-acceptance",
                    "it is a probability between 0 and 1, without these", "try 0.8 or 0.95");
    choices_.plan.most_hills = number_of_hills(hills_);
    if (choices_.plan.sampler == Sampler::ensemble && choices_.plan.most_hills != 1)
        throw Error("cannot use --hills", "an ensemble does not look for hills",
                    "leave it out, or use --method nuts");
    finish_gradient_input(input_, options_.output, "a sampling");
    if (!choices_.fit.empty()) io::keep_source(options_.output, choices_.fit);
}

}  // namespace tessera::app
