#include "likelihood/fit/fit_run.hpp"

#include <fmt/format.h>

#include <utility>

#include "engine/guarded_workload.hpp"
#include "engine/run_notes.hpp"
#include "likelihood/fit/fit_devices.hpp"
#include "likelihood/fit/fit_progress.hpp"
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
    if (maximum.climbs.empty()) folder.remove();
    require_maximum(maximum, parameters);
}

}  // namespace

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

std::vector<Evaluation> evaluate_best(const mpi::Communicator& ranks, const FitRun& run, Point best,
                                      Wanted wanted) {
    ranks.broadcast(best);
    const StreamModel model = run.problem.space->model(best);
    for (int rank = 0; rank < ranks.size(); ++rank) {
        std::vector<double> numbers;
        ranks.together([&] {
            if (ranks.rank() != rank) return;
            try_on_device(Stage::finish, "the evaluation of the best model", [&] {
                numbers = pack(run.evaluator.evaluate({&model, 1}, wanted).at(0));
            });
        });
        ranks.broadcast(numbers, rank);
        if (!numbers.empty()) return {unpack(numbers)};
    }
    throw mpi::SharedError("cannot evaluate the best model", "no rank has a device any more",
                           "start the same command again", ExitCode::resources);
}

}  // namespace tessera::likelihood
