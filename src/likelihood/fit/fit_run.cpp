#include "likelihood/fit/fit_run.hpp"

#include <fmt/format.h>

#include <utility>

#include <nlohmann/json.hpp>

#include "engine/guarded_workload.hpp"
#include "engine/run_notes.hpp"
#include "io/files/sha256.hpp"
#include "likelihood/exact/differenced_evaluator.hpp"
#include "likelihood/fit/fit_devices.hpp"
#include "likelihood/fit/fit_progress.hpp"
#include "likelihood/fit/fit_result.hpp"
#include "likelihood/fit/recorded_objective.hpp"
#include "likelihood/fit/shared_objective.hpp"
#include "likelihood/fit/stream_objective.hpp"
#include "likelihood/model/evaluation_record.hpp"
#include "mpi/mpi_error.hpp"

namespace tessera::likelihood {

namespace {

/// On rank 0: conducts the fit and keeps its evaluations in the folder of the run.
void conduct(SharedObjective& shared, const FitRun& run, FitOutcome& outcome) {
    struct Service {  // lets the other ranks return, even if this function throws
        SharedObjective& shared;
        ~Service() { shared.finish(); }
    } const service{shared};
    RecordedObjective recorded(shared, run.folder->file("evaluations"), run.folder->key());
    outcome.resumed = recorded.batches_resumed();
    const FitDevices devices(run.folder->file("devices"), run.folder->key(), outcome.resumed,
                             run.devices);
    outcome.resumed_devices = devices.resumed_devices();
    if (outcome.resumed > 0)
        engine::say(run.speaks, fmt::format("goes on after {} batches of evaluations done before",
                                            outcome.resumed));
    if (devices.differ())
        engine::say(run.speaks,
                    fmt::format("note: batches done before are of another kind of device ({}): "
                                "last bits may differ between kinds",
                                outcome.resumed_devices));
    FitProgressLine line(run.speaks);
    try {
        outcome.maximum = maximise(recorded, *run.problem.space, run.problem.plan,
                                   [&](const auto& progress) { line.update(progress); });
    } catch (const Stopped&) {
        throw Error("stopped before the fit was complete", "a signal asked for it",
                    "start the same command again, which goes on after the evaluations that are "
                    "done",
                    ExitCode::requeue);
    }
}

/// Throws Error if the search has found no finite point. The folder is removed, because it cannot
/// help another run.
void require_maximum(const Maximum& maximum, const std::string& parameters,
                     io::PartialFolder& folder) {
    if (!maximum.climbs.empty()) return;
    folder.remove();
    throw Error("cannot fit '" + parameters + "'", "no point of the search has a finite likelihood",
                "narrow the bounds, or start from the file's numbers", ExitCode::numerics);
}

}  // namespace

FitProblem
read_fit_problem(const LikelihoodInput& input,
                 const std::function<io::FitSettings(const io::TextSource&)>& settings_of) {
    FitProblem problem;
    problem.wedges = read_wedges(input);
    const WedgeInput& wedge = problem.wedge();
    const io::FitSettings settings = settings_of(wedge.model_text);
    auto free = free_parameters(wedge.model, settings);
    if (free.empty())
        throw Error("there is nothing to fit", "no parameter is free",
                    "name the free parameters in [fit] free = [...]");
    problem.space = std::make_unique<StreamSpace>(wedge.model, std::move(free));
    problem.plan = resolved_plan(settings, *problem.space, wedge.model, wedge.stars.size(),
                                 input.evaluation.tolerance);
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
    const WedgeInput& wedge = problem.wedge();
    if (input.integration == Integration::compressed)
        return make_compressed_evaluator(wedge.model, wedge.stars, input.evaluation, backend);
    std::vector<Differenced> moving;
    for (const FreeParameter& free : problem.space->free())
        moving.push_back({free.index, free.width()});
    const bool in_double = input.evaluation.precision == kernels::Precision::double_precision;
    return make_differenced_evaluator(
        make_exact_evaluator(wedge.model, wedge.stars, input.evaluation, backend),
        std::move(moving), in_double ? 1e-13 : 1e-9);
}

FitOutcome run_fit(const mpi::Communicator& ranks, const FitRun& run, const std::string& parameters,
                   io::RunRecord& record) {
    StreamObjective mine(*run.problem.space, run.evaluator);
    SharedObjective shared(ranks, mine, run.stop.flag());
    FitOutcome outcome;
    ranks.together([&] {
        record.time_phase("fit", [&] {
            if (ranks.is_root())
                conduct(shared, run, outcome);
            else
                shared.serve();
        });
    });
    ranks.together([&] {
        if (ranks.is_root()) require_maximum(outcome.maximum, parameters, *run.folder);
    });
    outcome.run = shared.run();
    outcome.tiles_total = shared.tiles_total();
    return outcome;
}

std::vector<Evaluation> evaluate_best(const mpi::Communicator& ranks, const StreamSpace& space,
                                      Point best, WedgeEvaluator& evaluator) {
    ranks.broadcast(best);
    const StreamModel model = space.model(best);
    for (int rank = 0; rank < ranks.size(); ++rank) {
        std::vector<double> numbers;
        ranks.together([&] {
            if (ranks.rank() != rank) return;
            try_on_device(Stage::finish, "the evaluation of the best model", [&] {
                numbers = pack(evaluator.evaluate({&model, 1}, {true, false}).at(0));
            });
        });
        ranks.broadcast(numbers, rank);
        if (!numbers.empty()) return {unpack(numbers)};
    }
    throw mpi::SharedError("cannot evaluate the best model", "no rank has a device any more",
                           "start the same command again", ExitCode::resources);
}

}  // namespace tessera::likelihood
