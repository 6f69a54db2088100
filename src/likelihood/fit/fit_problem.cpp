#include "likelihood/fit/fit_problem.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.hpp"
#include "io/files/sha256.hpp"
#include "likelihood/exact/differenced_evaluator.hpp"
#include "likelihood/fit/fit_result.hpp"

namespace tessera::likelihood {

FitProblem
read_fit_problem(const LikelihoodInput& input,
                 const std::function<io::FitSettings(const io::TextSource&)>& settings_of) {
    return make_fit_problem(input, read_wedges(input), settings_of);
}

FitProblem
make_fit_problem(const LikelihoodInput& input, std::vector<WedgeInput> wedges,
                 const std::function<io::FitSettings(const io::TextSource&)>& settings_of) {
    FitProblem problem;
    problem.wedges = std::move(wedges);
    const WedgeInput& wedge = problem.wedge();
    const io::FitSettings settings = settings_of(wedge.model_text);
    auto free = free_parameters(wedge.model, settings);
    if (free.empty())
        throw Error("there is nothing to fit", "no parameter is free",
                    "name the free parameters in [fit] free = [...]");
    problem.space = std::make_unique<StreamSpace>(wedge.model, std::move(free));
    problem.plan = resolved_plan(settings, *problem.space, wedge.model, wedge.stars.size(),
                                 input.evaluation.tolerance);
    problem.errors = error_plan(settings, *problem.space);
    problem.settings = with_defaults(settings, problem.plan, *problem.space);
    return problem;
}

std::string to_json(const LikelihoodInput& input, const FitProblem& problem) {
    auto json = nlohmann::ordered_json::parse(to_json(input, problem.wedges));
    json["fit"] = nlohmann::ordered_json::parse(to_json(problem.settings));
    return json.dump(2);
}

std::string hash_of(const LikelihoodInput& input, const FitProblem& problem) {
    return io::sha256_of(hash_of(input, problem.wedges) + to_json(problem.settings));
}

std::unique_ptr<WedgeEvaluator>
make_evaluator(const LikelihoodInput& input, const FitProblem& problem, kernels::Backend backend) {
    return make_evaluator(input, problem, problem.wedge().stars, backend);
}

std::unique_ptr<WedgeEvaluator> make_evaluator(const LikelihoodInput& input,
                                               const FitProblem& problem,
                                               std::span<const Star> stars,
                                               kernels::Backend backend) {
    const StreamModel& model = problem.wedge().model;
    if (input.integration == Integration::compressed)
        return make_compressed_evaluator(model, stars, input.evaluation, backend);
    std::vector<Differenced> moving;
    for (const FreeParameter& free : problem.space->free())
        moving.push_back({free.index, free.width()});
    const bool in_double = input.evaluation.precision == kernels::Precision::double_precision;
    return make_differenced_evaluator(make_exact_evaluator(model, stars, input.evaluation, backend),
                                      std::move(moving), in_double ? 1e-13 : 1e-9);
}

void require_maximum(const Maximum& maximum, const std::string& parameters) {
    if (maximum.climbs.empty())
        throw Error("cannot fit '" + parameters + "'",
                    "no point of the search has a finite likelihood",
                    "narrow the bounds, or start from the file's numbers", ExitCode::numerics);
}

}  // namespace tessera::likelihood
