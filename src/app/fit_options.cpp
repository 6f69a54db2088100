// The options of tessera fit (FitCommand, declared in fit_command.hpp).
#include <algorithm>

#include "app/config_file.hpp"
#include "app/fit_command.hpp"
#include "app/option_checks.hpp"
#include "app/schedule_options.hpp"
#include "core/error.hpp"
#include "io/text/one_line.hpp"

namespace tessera::app {

void FitCommand::declare(CLI::App& app) {
    input_.evaluation.tolerance =
        1e-9;  // such an error moves a parameter far less than its error bar
    command_ = app.add_subcommand("fit", "Maximum-likelihood fit of stellar streams");
    command_->footer("Examples:\n"
                     "  tessera fit wedge.toml --stars stars.txt -o fit.h5\n"
                     "  tessera fit 79.toml 82.toml --stars stars-79.txt stars-82.txt -o joint.h5\n"
                     "The second one fits two wedges with one background.\n"
                     "The same command continues a fit that was stopped.\n"
                     "An option of the search takes precedence over the table [fit] of the file.");
    auto& o = *command_;
    o.add_option("parameters", input_.parameters,
                 "parameter files: TOML with a table [fit], or MilkyWay@Home text. Several wedges "
                 "are fitted together, with one background and streams of their own");
    o.add_option("--stars", input_.stars,
                 "star files, one for each parameter file in the same order, plain or .gz")
        ->required();
    o.add_option("-o,--output", options_.output, "HDF5 file to write")->required();
    declare_search_options();
    declare_memberships(o, input_);
    declare_stars_outside(o, input_);
    declare_empty_streams(o, input_);
    integration_.declare(o, input_);
    model_.declare(o);
    declare_device_options(o, options_.device);
    declare_config_option(o);
    o.add_flag("--force", options_.force, "replace an existing output and discard a stopped fit");
    o.add_flag("--quiet", options_.quiet, "print errors only");
    declare_deadline_options(o, options_.deadline);
}

void FitCommand::declare_search_options() {
    auto& o = *command_;
    o.add_option(
         "--method", choices_.method,
         "search method: differential-evolution (default), particle-swarm, quasi-newton or, with "
         "--asynchronous, newton")
        ->check(
            CLI::IsMember({"differential-evolution", "particle-swarm", "newton", "quasi-newton"}));
    o.add_flag("--asynchronous", choices_.asynchronous,
               "search without generations: a rank that is done with its points gets new ones at "
               "once, so that slow ranks hold up nobody. The result is not bit-identical between "
               "runs");
    o.add_option("--verify", choices_.verify,
                 "evaluate this share of the points of the search (0 to 1) again on another rank "
                 "and compare the bits; default: 0")
        ->default_str("")
        ->check(number_from_0(1));
    o.add_option("--start", choices_.start,
                 "first points: random within the bounds (default), or file: the parameters of the "
                 "file and random points")
        ->check(CLI::IsMember({"random", "file"}));
    o.add_option("--population", choices_.population,
                 "points in each generation; 0 (default): 8 for each free parameter "
                 "(quasi-newton: 20), at least 20; with newton more");
    o.add_option("--generations", choices_.generations,
                 "largest number of generations; 0 (default): 4 for each free parameter, at least "
                 "50");
    o.add_option("--starts", choices_.starts,
                 "number of independent populations (quasi-newton: of climbs); default: 1");
    o.add_option("--variations", choices_.variations,
                 "stop after this many rounds of redrawing streams without improvement; 0: redraw "
                 "none; default: 3");
    o.add_option("--seed", choices_.seed,
                 "seed of the random numbers, which decides the result; the number of ranks does "
                 "not; default: 1")
        ->check(whole_number<std::uint64_t>());
    o.add_option("--search-tolerance", choices_.search_tolerance,
                 "a population stops when its best and median search likelihoods (log10 per star) "
                 "differ by less; default: 1e-5");
    declare_parameter_names(
        o, "--free", choices_.free,
        "fit these parameters only, such as stream1.mu,stream1.r, or wedge2.stream1.mu of the "
        "second wedge; default: those of the parameter files");
    declare_parameter_names(
        o, "--fix", choices_.fix,
        "do not fit these parameters; they keep the values of the parameter file");
    declare_parameter_names(
        o, "--share", choices_.share,
        "these parameters of streams, such as stream1.sigma, are the same in all wedges that have "
        "the stream; default: those of the tables [fit.shared]");
    o.add_option("--streams", choices_.streams,
                 "fit each wedge with every number of streams in this range, such as 1:3, and keep "
                 "the best number; the files have as many streams as the largest");
    o.add_option("--criterion", choices_.criterion,
                 "which number of streams is the best: that with the lowest BIC (bic, the "
                 "default), or with the "
                 "highest likelihood of stars that its fits have not seen (held-out)")
        ->check(CLI::IsMember({"bic", "held-out"}));
    o.add_option("--folds", choices_.folds,
                 "parts into which --criterion held-out cuts the stars; default: 5")
        ->default_str("")
        ->check(whole_number<int>(2, 100));
    declare_parameter_names(
        o, "--profile", choices_.profile,
        "after the fit, find the profile likelihood intervals of these parameters at 68.27 and "
        "95.45 %; all: of every fitted parameter");
    o.add_option("--bootstrap", choices_.bootstrap,
                 "after the fit, simulate and fit this many sets of stars of the best model, for "
                 "standard errors and percentile intervals; default: none")
        ->default_str("")
        ->check(whole_number<int>(2, 100'000));
}

void FitCommand::finish_input() {
    using namespace likelihood;
    take_parameters_after_stars(input_, "fit");
    input_.choices = model_.choices();
    integration_.finish(input_);
    finish_gradient_input(input_, options_.output, "a fit");
}

io::FitSettings FitCommand::settings(const io::TextSource& parameters) const {
    return choices_.settings(parameters, "the command line");
}

}  // namespace tessera::app
