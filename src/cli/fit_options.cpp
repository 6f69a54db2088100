// The options of tessera fit.
#include <filesystem>

#include "cli/fit_command.hpp"
#include "core/error.hpp"

namespace tessera::cli {

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
        ->check(CLI::NonNegativeNumber);
    o.add_option("--search-tolerance", search_tolerance_,
                 "a search ends where best and median of its likelihoods differ by less");
    o.add_option("--quadrature", quadrature_,
                 "Gauss-Legendre weights: the MilkyWay@Home application's own, or true ones")
        ->check(CLI::IsMember({"milkyway", "gauss"}));
    o.add_option("--tolerance", input_.evaluation.tolerance,
                 "relative, on every integral and the likelihood");
    o.add_option("--model", model_, "of text files: classic or 2018; default: by their layout")
        ->check(CLI::IsMember({"classic", "2018"}));
    o.add_option("--turnoff", turnoff_, "of text files: gaussian or newby2011; default gaussian")
        ->check(CLI::IsMember({"gaussian", "newby2011"}));
    o.add_option("--background-profile", profile_,
                 "of text files: hernquist or broken-power-law; default hernquist")
        ->check(CLI::IsMember({"hernquist", "broken-power-law"}));
    o.add_option("--device", options_.device, "auto, cuda, openmp or serial");
    o.add_flag("--force", options_.force, "replace an existing output, forget a stopped fit");
    o.add_flag("--quiet", options_.quiet, "errors only");
}

void FitCommand::finish_input() {
    using namespace likelihood;
    input_.evaluation.fall_back = false;  // a point of a search is not worth minutes
    input_.parameters = {parameters_};
    input_.stars = {stars_};
    if (!model_.empty()) input_.choices.model = io::model_named(model_, "--model");
    if (!turnoff_.empty()) input_.choices.turnoff = io::turnoff_named(turnoff_, "--turnoff");
    if (!profile_.empty())
        input_.choices.profile = io::profile_named(profile_, "--background-profile");
    input_.evaluation.quadrature =
        quadrature_ == "gauss" ? Quadrature::gauss : Quadrature::milkyway;
    validate(input_);
    for (const std::string& path : {parameters_, stars_}) {
        std::error_code ignored;
        if (std::filesystem::equivalent(path, options_.output, ignored))
            throw Error("cannot write '" + options_.output + "'", "it is an input of this run",
                        "choose another name");
    }
}

io::FitSettings FitCommand::settings() const {
    io::FitSettings settings = io::read_fit_settings(parameters_);
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

}  // namespace tessera::cli
