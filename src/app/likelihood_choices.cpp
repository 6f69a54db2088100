#include "app/likelihood_choices.hpp"

#include <fmt/format.h>

#include "app/option_checks.hpp"
#include "core/error.hpp"
#include "io/hdf5/output_path.hpp"

namespace tessera::app {

void ModelOptions::declare(CLI::App& command) {
    command
        .add_option(
            "--model", model_,
            "model for a text parameter file: classic or 2018; default: the one of its layout")
        ->check(CLI::IsMember({"classic", "2018"}));
    command
        .add_option(
            "--turnoff", turnoff_,
            "absolute magnitudes of turnoff stars for a text parameter file: gaussian (default) "
            "or newby2011")
        ->check(CLI::IsMember({"gaussian", "newby2011"}));
    command
        .add_option("--background-profile", profile_,
                    "background density for a text parameter file: hernquist (default) or "
                    "broken-power-law")
        ->check(CLI::IsMember({"hernquist", "broken-power-law"}));
}

io::ModelChoices ModelOptions::choices() const {
    io::ModelChoices choices;
    if (!model_.empty()) choices.model = io::model_named(model_, "--model");
    if (!turnoff_.empty()) choices.turnoff = io::turnoff_named(turnoff_, "--turnoff");
    if (!profile_.empty()) choices.profile = io::profile_named(profile_, "--background-profile");
    return choices;
}

void IntegrationOptions::declare(CLI::App& command, likelihood::LikelihoodInput& input) {
    command
        .add_option("--integration", integration_,
                    "exact: sum every point of the grid; compressed: the same sum to within "
                    "--tolerance, far faster")
        ->check(CLI::IsMember({"exact", "compressed"}));
    command
        .add_option("--quadrature", quadrature_,
                    "Gauss-Legendre weights: milkyway (those of the MilkyWay@Home application) or "
                    "gauss (the correct ones)")
        ->check(CLI::IsMember({"milkyway", "gauss"}));
    command.add_option("--tolerance", input.evaluation.tolerance,
                       "largest relative error of the compressed integration, for each integral "
                       "and for the likelihood");
    command
        .add_option("--precision", precision_,
                    "arithmetic of the exact integration: double, or for comparison "
                    "single-compensated or single")
        ->check(CLI::IsMember({"double", "single-compensated", "single"}));
}

void IntegrationOptions::finish(likelihood::LikelihoodInput& input) const {
    input.integration = likelihood::integration_named(integration_);
    input.evaluation.quadrature = likelihood::quadrature_named(quadrature_);
    input.evaluation.precision = likelihood::precision_named(precision_);
}

void declare_stars_outside(CLI::App& command, likelihood::LikelihoodInput& input) {
    command.add_flag("--allow-stars-outside", input.allow_stars_outside,
                     "accept stars outside the wedge with a warning; otherwise they are an error");
}

void declare_empty_streams(CLI::App& command, likelihood::LikelihoodInput& input) {
    command.add_flag(
        "--allow-empty-streams", input.evaluation.allow_empty_streams,
        "give a stream that the cuts swallow weight 0, with a warning; otherwise it is "
        "an error");
}

void declare_memberships(CLI::App& command, likelihood::LikelihoodInput& input) {
    command.add_flag("--memberships", input.memberships,
                     "also store the probabilities that each star belongs to the background and to "
                     "each stream");
}

void declare_parameter_names(CLI::App& command, const std::string& option,
                             std::vector<std::string>& names, const std::string& text) {
    command.add_option(option, names, text)
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(not_empty("the name of a parameter"));
}

void take_parameters_after_stars(likelihood::LikelihoodInput& input, const std::string& command) {
    if (!input.parameters.empty()) return;
    if (input.stars.size() != 2)
        throw Error(
            fmt::format("tessera {} has no parameter files", command), "none stands before --stars",
            fmt::format("write: tessera {0} wedge.toml --stars stars.txt -o {0}.h5", command));
    input.parameters = {input.stars.back()};
    input.stars.pop_back();
}

void finish_gradient_input(likelihood::LikelihoodInput& input, const std::string& output,
                           const std::string& work) {
    // Summing point by point would take minutes at each point.
    input.evaluation.fall_back = false;
    if (input.evaluation.precision == kernels::Precision::single_plain)
        throw Error(work + " cannot use --precision single",
                    "its values are too coarse for gradients",
                    "choose double or single-compensated");
    validate(input);
    require_other_name(output, input);
}

void require_other_name(const std::string& output, const likelihood::LikelihoodInput& input) {
    for (const auto* paths : {&input.parameters, &input.stars})
        for (const std::string& path : *paths) io::keep_source(output, path);
}

}  // namespace tessera::app
