// The options of tessera fit.
#include "app/fit_command.hpp"
#include "app/option_checks.hpp"
#include "app/schedule_options.hpp"
#include "core/error.hpp"

namespace tessera::app {

void FitCommand::declare(CLI::App& app) {
    input_.evaluation.tolerance = 1e-9;  // far below what moves a parameter by its error
    command_ = app.add_subcommand("fit", "Maximum-likelihood fit of stellar streams");
    command_->footer("Example:\n"
                     "  tessera fit wedge.toml --stars stars.txt -o fit.h5\n"
                     "A stopped fit goes on where it was when the same command is started again.");
    auto& o = *command_;
    o.add_option("parameters", parameters_,
                 "parameter file: TOML, with the table [fit], or a MilkyWay@Home text file")
        ->required();
    o.add_option("--stars", stars_, "star file of the wedge, plain or .gz")->required();
    o.add_option("-o,--output", options_.output, "HDF5 file to write")->required();
    o.add_option("--method", method_, "differential-evolution, particle-swarm or quasi-newton")
        ->check(CLI::IsMember({"differential-evolution", "particle-swarm", "quasi-newton"}));
    o.add_option("--start", start_,
                 "random: within the bounds; file: the file's numbers beside random ones")
        ->check(CLI::IsMember({"random", "file"}));
    o.add_option("--population", population_, "points of a generation; 0: by the parameters");
    o.add_option("--generations", generations_, "at most; 0: by the parameters");
    o.add_option("--starts", starts_, "independent populations (quasi-newton: climbs)");
    o.add_option(
        "--variations", variations_,
        "a fit ends after drawing streams anew so many times in vain; 0: never drawn anew");
    o.add_option("--seed", seed_, "of the random numbers; the result depends on it, not on ranks")
        ->check(whole_number<std::uint64_t>());
    o.add_option("--search-tolerance", search_tolerance_,
                 "a search ends where best and median of its likelihoods differ by less");
    declare_stars_outside(o, input_);
    integration_.declare(o, input_);
    model_.declare(o);
    o.add_option("--device", options_.device, "auto, cuda, openmp or serial");
    o.add_flag("--force", options_.force, "replace an existing output, forget a stopped fit");
    o.add_flag("--quiet", options_.quiet, "errors only");
    declare_deadline_options(o, options_.deadline);
}

void FitCommand::finish_input() {
    using namespace likelihood;
    input_.evaluation.fall_back = false;  // a point of a search is not worth minutes
    input_.parameters = {parameters_};
    input_.stars = {stars_};
    input_.choices = model_.choices();
    integration_.finish(input_);
    if (input_.evaluation.precision == kernels::Precision::single_plain)
        throw Error("no fit with --precision single", "its values are too coarse for gradients",
                    "choose double or single-compensated");
    validate(input_);
    require_other_name(options_.output, input_);
}

io::FitSettings FitCommand::settings(const io::TextSource& parameters) const {
    io::FitSettings settings = io::parse_fit_settings(parameters);
    const auto take = [](const auto& typed, auto& value) {
        if (typed) value = *typed;
    };
    take(method_, settings.method);
    take(start_, settings.start);
    take(population_, settings.population);
    take(generations_, settings.generations);
    take(starts_, settings.starts);
    take(variations_, settings.variations);
    take(seed_, settings.seed);
    take(search_tolerance_, settings.tolerance);
    io::validate(settings, "the command line");
    return settings;
}

}  // namespace tessera::app
