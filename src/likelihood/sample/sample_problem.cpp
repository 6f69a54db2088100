#include "likelihood/sample/sample_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.hpp"
#include "io/files/sha256.hpp"
#include "io/hdf5/result_file.hpp"
#include "io/text/one_line.hpp"
#include "likelihood/fit/fit_result.hpp"
#include "likelihood/model/model_values.hpp"

namespace tessera::likelihood {

namespace {

using Json = nlohmann::ordered_json;

constexpr int nuts_chains = 4, most_chains = 10'000;
constexpr int walkers_per_parameter = 4, fewest_walkers = 32;

/// The model with the best values of a fit.
StreamModel best_of(const std::string& path, const StreamModel& model) {
    const auto file = io::open_result(path);
    if (file.root().read_attribute<std::string>("workload") != "fit")
        throw Error("cannot start from '" + io::one_line(path) + "'",
                    "it is not a result of tessera fit", "give --fit the file of a fit");
    const FitResult fit = read_fit_result(file.root());
    const auto names = parameter_names(model);
    auto numbers = parameter_values(model);
    for (std::size_t i = 0; i < fit.free.size(); ++i) {
        const auto place = std::ranges::find(names, fit.free[i].name);
        if (place == names.end())
            throw Error("cannot start from '" + io::one_line(path) + "'",
                        "the parameter file has no " + io::one_line(fit.free[i].name, 40),
                        "give --fit a fit of the same model");
        numbers[static_cast<std::size_t>(place - names.begin())] = fit.best[i];
    }
    return with_values(model, numbers);
}

/// Throws Error for the first parameter of the start that its prior or bounds exclude.
void require_possible(const SampleProblem& problem) {
    const auto numbers = parameter_values(problem.fit.wedge().model);
    const StreamSpace& space = *problem.fit.space;
    for (std::size_t i = 0; i < space.dimension(); ++i) {
        const FreeParameter& one = space.free()[i];
        const double value = numbers[one.index];
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
        throw Error(fmt::format("an ensemble cannot have {} chains", choices.chains),
                    fmt::format("its walkers move by halves, and {} parameters need at least {}",
                                free, 2 * free),
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
    for (const io::PriorSetting& prior : problem.priors) {
        Json& one =
            json["priors"][prior.name] = {{"distribution", io::name_of(prior.distribution)}};
        if (prior.sd > 0) one["mean"] = prior.mean, one["sd"] = prior.sd;
        if (prior.lower < prior.upper) one["lower"] = prior.lower, one["upper"] = prior.upper;
    }
    return json;
}

}  // namespace

std::string name_of(Sampler sampler) { return sampler == Sampler::nuts ? "nuts" : "ensemble"; }

Posterior SampleProblem::posterior() const {
    std::vector<Prior> all;
    for (std::size_t i = 0; i < priors.size(); ++i)
        all.emplace_back(priors[i], fit.space->free()[i], fit.space->goes_round(i));
    return {*fit.space, std::move(all), fit.plan.log_likelihood_unit};
}

Point SampleProblem::start() const { return fit.space->point(fit.wedge().model); }

SampleProblem read_sample_problem(const LikelihoodInput& input, const SampleChoices& choices) {
    SampleProblem problem;
    std::vector<io::PriorSetting> given;
    auto wedges = read_wedges(input);
    if (!choices.fit.empty()) wedges.front().model = best_of(choices.fit, wedges.front().model);
    const auto settings_of = [&](const io::TextSource& parameters) {
        FitChoices fit;
        fit.free = choices.free;
        fit.fix = choices.fix;
        fit.start = "random";  // the file's start is checked here, in other words
        given = io::parse_priors(parameters);
        return with_prior_bounds(fit.settings(parameters, "the command line"), given);
    };
    problem.fit = make_fit_problem(input, std::move(wedges), settings_of);
    problem.priors = complete_priors(given, problem.fit.space->free());
    problem.plan = choices.plan;
    problem.plan.chains = chains_of(choices, problem.fit.space->dimension());
    problem.plan.noise = input.evaluation.tolerance;
    if (problem.plan.chains > most_chains)
        throw Error(fmt::format("{} chains are too many", problem.plan.chains),
                    fmt::format("the limit is {}", most_chains), "give fewer --chains");
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
