#include "likelihood/fit/fit_run.hpp"

#include <utility>

#include "core/run_host.hpp"
#include "engine/guarded_workload.hpp"
#include "likelihood/fit/fit_progress.hpp"
#include "likelihood/model/evaluation_record.hpp"
#include "mpi/mpi_error.hpp"

namespace tessera::likelihood {

namespace {

/// Throws Error if the search has found no finite point. The folder is removed, because it cannot
/// help another run.
void require_maximum(const Maximum& maximum, const std::string& parameters,
                     io::PartialFolder& folder) {
    if (maximum.climbs.empty()) folder.remove();
    require_maximum(maximum, parameters);
}

std::vector<std::string> stages_of(const FitProblem& problem) {
    std::vector<std::string> stages{"search", "climb", "variation", "errors"};
    if (!problem.errors.profiles.empty()) stages.push_back("profile");
    if (problem.errors.sets > 0) stages.push_back("bootstrap");
    return stages;
}

}  // namespace

FitOutcome run_fit(const mpi::Communicator& ranks, const FitProblem& problem,
                   const Conductor& conductor, const std::string& parameters,
                   const StreamNumbers* numbers, io::RunRecord& record) {
    FitOutcome outcome;
    const auto search = [&](const FitData& data) {
        FitProgressLine line(conductor.speaks);
        const std::vector<std::string> stages = stages_of(problem);
        const auto watch = [&](const FitProgress& now) {
            line.update(now);
            tell_run_host([&] { return fraction_done(stages, now.stage, now.step, now.steps); });
        };
        if (numbers) {
            NumberFit fit = fit_numbers(*data.questions, data.refitter, *numbers, watch);
            outcome.course = std::move(fit.course);
            outcome.numbers = std::move(fit.numbers);
            outcome.rows = std::move(fit.rows);
            return;
        }
        outcome.course = run_course(data, *problem.space, problem.plan, problem.errors, watch);
    };
    outcome.conducted = conduct(ranks, conductor, "fit", search, record);
    ranks.together([&] {
        if (ranks.is_root()) require_maximum(outcome.course.maximum, parameters, *conductor.folder);
    });
    ranks.broadcast(outcome.numbers);
    return outcome;
}

std::vector<Evaluation> evaluate_best(const mpi::Communicator& ranks, const Conductor& conductor,
                                      Point best, Wanted wanted) {
    ranks.broadcast(best);
    const std::size_t wedges = conductor.evaluators.size();
    for (int rank = 0; rank < ranks.size(); ++rank) {
        std::vector<std::vector<double>> packed(wedges);
        ranks.together([&] {
            if (ranks.rank() != rank) return;
            try_on_device(Stage::finish, "the evaluation of the best model", [&] {
                for (std::size_t w = 0; w < wedges; ++w) {
                    const StreamModel model = conductor.problem.space->model(best, w);
                    packed[w] = pack(conductor.evaluators[w]->evaluate({&model, 1}, wanted).at(0));
                }
            });
        });
        std::vector<Evaluation> found;
        for (std::vector<double>& numbers : packed) {
            ranks.broadcast(numbers, rank);
            if (!numbers.empty()) found.push_back(unpack(numbers));
        }
        if (found.size() == wedges) return found;
    }
    throw mpi::SharedError("cannot evaluate the best model", "no rank has a device any more",
                           "start the same command again", ExitCode::resources);
}

}  // namespace tessera::likelihood
