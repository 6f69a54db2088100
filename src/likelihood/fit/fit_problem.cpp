#include "likelihood/fit/fit_problem.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.hpp"
#include "io/files/sha256.hpp"
#include "kokkos_kernels/device/device_guard.hpp"
#include "likelihood/exact/differenced_evaluator.hpp"
#include "likelihood/fit/fit_result.hpp"
#include "likelihood/fit/joint_parameters.hpp"

namespace tessera::likelihood {

namespace {

std::unique_ptr<WedgeEvaluator> make_evaluator(const LikelihoodInput& input,
                                               const FitProblem& problem, std::size_t wedge,
                                               std::span<const Star> stars,
                                               kernels::Backend backend) {
    const StreamModel& model = problem.wedges[wedge].model;
    if (input.integration == Integration::compressed)
        return make_compressed_evaluator(model, stars, input.evaluation, backend);
    std::vector<Differenced> moving;
    for (const FreeParameter& free : problem.space->free())
        if (const auto index = free.index_in(wedge)) moving.push_back({*index, free.width()});
    const bool in_double = input.evaluation.precision == kernels::Precision::double_precision;
    return make_differenced_evaluator(make_exact_evaluator(model, stars, input.evaluation, backend),
                                      std::move(moving), in_double ? 1e-13 : 1e-9);
}

}  // namespace

std::vector<std::size_t> FitProblem::stars_of_wedges() const {
    std::vector<std::size_t> stars;
    for (const WedgeInput& wedge : wedges) stars.push_back(wedge.stars.size());
    return stars;
}

std::size_t FitProblem::number_of_stars() const {
    std::size_t stars = 0;
    for (const std::size_t count : stars_of_wedges()) stars += count;
    return stars;
}

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
    std::vector<StreamModel> models;
    std::vector<io::FitSettings> settings;
    for (const WedgeInput& wedge : problem.wedges) {
        models.push_back(wedge.model);
        settings.push_back(settings_of(wedge.model_text));
    }
    auto free = joint_parameters(models, settings, input.parameters);
    if (free.empty())
        throw Error("there is nothing to fit", "no parameter is free",
                    "name the free parameters in [fit] free = [...]");
    problem.space = std::make_unique<StreamSpace>(std::move(models), std::move(free));
    const io::FitSettings& search = settings.front();
    problem.plan = resolved_plan(search, *problem.space, problem.number_of_stars(),
                                 input.evaluation.tolerance);
    problem.errors = error_plan(search, *problem.space);
    problem.settings = with_defaults(search, problem.plan, *problem.space);
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

WedgeEvaluators make_evaluators(const LikelihoodInput& input, const FitProblem& problem,
                                kernels::Backend backend) {
    WedgeEvaluators evaluators;
    for (std::size_t w = 0; w < problem.wedges.size(); ++w)
        evaluators.push_back(kernels::kept_if_lost(
            make_evaluator(input, problem, w, problem.wedges[w].stars, backend)));
    return evaluators;
}

WedgeEvaluators make_evaluators(const LikelihoodInput& input, const FitProblem& problem,
                                std::span<const std::vector<Star>> stars,
                                kernels::Backend backend) {
    WedgeEvaluators evaluators;
    for (std::size_t w = 0; w < problem.wedges.size(); ++w)
        evaluators.push_back(
            kernels::kept_if_lost(make_evaluator(input, problem, w, stars[w], backend)));
    return evaluators;
}

void require_maximum(const Maximum& maximum, const std::string& parameters) {
    if (maximum.climbs.empty())
        throw Error("cannot fit '" + parameters + "'",
                    "no point of the search has a finite likelihood",
                    "narrow the bounds, or start from the file's numbers", ExitCode::numerics);
}

}  // namespace tessera::likelihood
