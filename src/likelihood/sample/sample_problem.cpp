#include "likelihood/sample/sample_problem.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.hpp"
#include "io/files/sha256.hpp"
#include "io/hdf5/result_file.hpp"
#include "io/text/counted.hpp"
#include "io/text/one_line.hpp"
#include "likelihood/fit/fit_result.hpp"
#include "likelihood/fit/joint_parameters.hpp"
#include "likelihood/model/model_values.hpp"

namespace tessera::likelihood {

namespace {

using Json = nlohmann::ordered_json;

constexpr int nuts_chains = 4, most_chains = 10'000;
constexpr int walkers_per_parameter = 4, fewest_walkers = 32;

/// How many streams a wedge of a fit has, by the names of its parameters.
std::size_t streams_of(const FitResult& fit, std::size_t wedge) {
    constexpr std::string_view stream = "stream";
    std::size_t most = 0;
    const auto count = [&](const std::optional<std::string>& name) {
        if (!name || !name->starts_with(stream)) return;
        std::size_t number = 0;
        std::from_chars(name->data() + stream.size(), name->data() + name->size(), number);
        most = std::max(most, number);
    };
    for (const FreeParameter& one : fit.free) count(name_in_wedge(one, wedge));
    for (const FixedParameter& one : fit.fixed) count(name_in_wedge(one.name, wedge));
    return most;
}

/// Throws Error if a fit has the same stripes in another order: wedge1 would be another one.
void require_same_order(const std::string& path, const io::h5::Group& root,
                        const std::vector<WedgeInput>& wedges) {
    if (wedges.size() < 2) return;
    std::vector<int> of_fit, given;
    for (std::size_t w = 0; w < wedges.size(); ++w) {
        const auto group = root.open_group(fmt::format("likelihood/{}", w + 1));
        of_fit.push_back(static_cast<int>(group.read_attribute<std::int64_t>("wedge")));
        given.push_back(wedges[w].model.wedge);
    }
    if (of_fit == given || !std::ranges::is_permutation(of_fit, given)) return;
    throw Error("cannot start from '" + io::one_line(path) + "'",
                fmt::format("its wedges are {}, in this order, and those of the command {}",
                            fmt::join(of_fit, ", "), fmt::join(given, ", ")),
                "give the parameter files and --stars in the order of the fit");
}

/// Gives the wedges the best values of a fit.
void take_best(const std::string& path, std::vector<WedgeInput>& wedges) {
    const auto file = io::open_result(path);
    if (file.root().read_attribute<std::string>("workload") != "fit")
        throw Error("cannot start from '" + io::one_line(path) + "'",
                    "it is not a result of tessera fit", "give --fit the file of a fit");
    const FitResult fit = read_fit_result(file.root());
    if (fit.wedges != std::ssize(wedges))
        throw Error("cannot start from '" + io::one_line(path) + "'",
                    fmt::format("it is a fit of {} wedge{}, not of {}", fit.wedges,
                                fit.wedges == 1 ? "" : "s", wedges.size()),
                    "give --fit a fit of the same wedges");
    require_same_order(path, file.root(), wedges);
    for (std::size_t w = 0; w < wedges.size(); ++w) {
        const auto names = parameter_names(wedges[w].model);
        auto numbers = parameter_values(wedges[w].model);
        for (std::size_t i = 0; i < fit.free.size(); ++i) {
            const auto name = name_in_wedge(fit.free[i], w);
            if (!name) continue;
            const auto place = std::ranges::find(names, *name);
            if (place == names.end())
                throw Error("cannot start from '" + io::one_line(path) + "'",
                            "the parameter file has no " + io::one_line(*name, 40),
                            "give --fit a fit of the same model");
            numbers[static_cast<std::size_t>(place - names.begin())] = fit.best[i];
        }
        // Files of early versions do not name what was fixed.
        if (const auto found = streams_of(fit, w), wanted = wedges[w].model.streams.size();
            !fit.fixed.empty() && found < wanted)
            throw Error("cannot start from '" + io::one_line(path) + "'",
                        fmt::format("it has fewer streams than the parameter file: {}, not {}",
                                    found, wanted),
                        "sample the model that tessera export --toml writes of it");
        wedges[w].model = with_values(wedges[w].model, numbers);
    }
}

/// The priors of all files by the names that the parameters have in the problem. `given`: those of
/// each wedge. What wedges have in common is named once.
std::vector<io::PriorSetting> joint_priors(const std::vector<std::vector<io::PriorSetting>>& given,
                                           const StreamSpace& space) {
    if (given.size() == 1) return given.front();
    std::vector<io::PriorSetting> all;
    for (std::size_t w = 0; w < given.size(); ++w)
        for (io::PriorSetting prior : given[w]) {
            const auto named = std::ranges::find_if(space.free(), [&](const FreeParameter& one) {
                return one.concerns(w) && name_in_wedge(one, w) == prior.name;
            });
            prior.name = named == space.free().end() ? joint_name(prior.name, w) : named->name;
            if (std::ranges::find(all, prior.name, &io::PriorSetting::name) == all.end())
                all.push_back(std::move(prior));
        }
    return all;
}

/// Throws Error for the first parameter of the start that its prior or bounds exclude.
void require_possible(const SampleProblem& problem) {
    const StreamSpace& space = *problem.fit.space;
    for (std::size_t i = 0; i < space.dimension(); ++i) {
        const FreeParameter& one = space.free()[i];
        const double value = parameter_values(space.models()[one.wedge])[one.index];
        if (!one.bounds_are_given || space.goes_round(i) ||
            (value >= one.lower && value <= one.upper))
            continue;
        throw Error(
            "cannot start from this value of " + one.name,
            fmt::format("it is {}, outside its bounds {} and {}", value, one.lower, one.upper),
            "correct it, or change its prior or bounds");
    }
}

int chains_of(const SampleChoices& choices, std::size_t dimension) {
    const auto free = static_cast<int>(dimension);
    if (choices.plan.sampler == Sampler::nuts)
        return choices.chains > 0 ? choices.chains : nuts_chains;
    if (choices.chains == 0) return std::max(fewest_walkers, walkers_per_parameter * free);
    if (choices.chains % 2 != 0 || choices.chains < 2 * free)
        throw Error(fmt::format("an ensemble cannot have {}", io::counted(choices.chains, "chain")),
                    fmt::format("its walkers move by halves, and {} at least {}",
                                io::counted(free, "parameter needs", "parameters need"), 2 * free),
                    "give --chains an even number from there on, or leave it out");
    return choices.chains;
}

Json plan_json(const SampleProblem& problem) {
    const SamplePlan& plan = problem.plan;
    Json json{{"method", name_of(plan.sampler)},
              {"chains", plan.chains},
              {"warmup", plan.warmup},
              {"draws", plan.draws},
              {"target_acceptance", plan.target_acceptance},
              {"max_depth", plan.most_doublings},
              {"seed", plan.seed},
              {"priors", Json::object()}};
    if (plan.most_hills != 1) json["hills"] = plan.most_hills;
    for (const io::PriorSetting& prior : problem.priors) {
        Json& one =
            json["priors"][prior.name] = {{"distribution", io::name_of(prior.distribution)}};
        if (prior.sd > 0) one["mean"] = prior.mean, one["sd"] = prior.sd;
        if (prior.lower < prior.upper) one["lower"] = prior.lower, one["upper"] = prior.upper;
    }
    for (const io::SharedParameter& one : problem.fit.settings.shared)
        json["shared"][one.name].push_back(one.parameter);
    return json;
}

}  // namespace

std::string unused_options(const SamplePlan& plan) {
    const SamplePlan defaults;
    std::vector<std::string> names;
    if (plan.target_acceptance != defaults.target_acceptance)
        names.emplace_back("--target-acceptance");
    if (plan.most_doublings != defaults.most_doublings) names.emplace_back("--max-depth");
    if (plan.sampler == Sampler::nuts || names.empty()) return {};
    return fmt::format("{} with --method ensemble: only nuts follows trajectories, so that nothing "
                       "changes",
                       fmt::join(names, ", "));
}

std::string name_of(Sampler sampler) { return sampler == Sampler::nuts ? "nuts" : "ensemble"; }

Posterior SampleProblem::posterior() const {
    std::vector<Prior> all;
    for (std::size_t i = 0; i < priors.size(); ++i)
        all.emplace_back(priors[i], fit.space->free()[i], fit.space->goes_round(i));
    return {*fit.space, std::move(all), fit.plan.log_likelihood_unit};
}

Point SampleProblem::start() const { return fit.space->point(fit.space->models()); }

SampleProblem read_sample_problem(const LikelihoodInput& input, const SampleChoices& choices) {
    SampleProblem problem;
    std::vector<std::vector<io::PriorSetting>> given;  // of each wedge
    auto wedges = read_wedges(input);
    if (!choices.fit.empty()) take_best(choices.fit, wedges);
    const auto settings_of = [&](const io::TextSource& parameters) {
        FitChoices fit;
        fit.free = choices.free;
        fit.fix = choices.fix;
        fit.share = choices.share;
        fit.start = "random";  // the file's start is checked here, in other words
        given.push_back(io::parse_priors(parameters));
        return with_prior_bounds(fit.settings(parameters, "the command line"), given.back());
    };
    problem.fit = make_fit_problem(input, std::move(wedges), settings_of);
    problem.priors =
        complete_priors(joint_priors(given, *problem.fit.space), problem.fit.space->free());
    problem.plan = choices.plan;
    problem.plan.chains = chains_of(choices, problem.fit.space->dimension());
    problem.plan.noise = input.evaluation.tolerance;
    if (problem.plan.chains > most_chains)
        throw Error(fmt::format("{} chains are too many", problem.plan.chains),
                    fmt::format("the limit is {}", most_chains), "give fewer --chains");
    if (problem.plan.most_hills > problem.plan.chains)
        throw Error(fmt::format("cannot sample {} hills", problem.plan.most_hills),
                    fmt::format("each needs a chain, and there {} {}",
                                problem.plan.chains == 1 ? "is" : "are", problem.plan.chains),
                    "give more --chains, or fewer --hills");
    require_possible(problem);
    return problem;
}

std::string to_json(const LikelihoodInput& input, const SampleProblem& problem) {
    auto json = Json::parse(to_json(input, problem.fit.wedges));
    json["sample"] = plan_json(problem);
    return json.dump(2);
}

std::string hash_of(const LikelihoodInput& input, const SampleProblem& problem) {
    return io::sha256_of(hash_of(input, problem.fit.wedges) + plan_json(problem).dump());
}

}  // namespace tessera::likelihood
