#include "likelihood/fit/fit_alone.hpp"

#include <chrono>
#include <memory>
#include <utility>

#include "engine/guarded_workload.hpp"
#include "engine/rank_record.hpp"
#include "engine/result_in_memory.hpp"
#include "likelihood/fit/finish_fit.hpp"
#include "likelihood/fit/joint_objective.hpp"
#include "likelihood/fit/stream_objective.hpp"
#include "likelihood/fit/stream_refitter.hpp"

namespace tessera::likelihood {

namespace {

/// Throws Error if the work fails.
template <class Work>
void on_device(Stage stage, const char* what, const Work& work) {
    if (!try_on_device(stage, what, work))
        throw Error(std::string(what) + " failed", "the device is lost",
                    "start again in a new process", ExitCode::resources);
}

/// Answers on the device of this process. A batch counts as a tile.
class ObjectiveAlone : public Objective, public Refitter {
  private:
    template <class Ask>
    auto answers(const Ask& ask) {
        if (stop_ && stop_())
            throw Error("stopped before the fit was complete", "a signal asked for it",
                        "start it again", ExitCode::requeue);
        decltype(ask()) found;
        const auto begun = std::chrono::steady_clock::now();
        on_device(Stage::main, "the evaluation of models", [&] { found = ask(); });
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begun;
        report_.busy_seconds += passed.count();
        ++report_.tiles_done;
        return found;
    }

  public:
    ObjectiveAlone(Objective& inner, Refitter& refitter, const std::function<bool()>& stop)
        : inner_(inner), refitter_(refitter), stop_(stop) {}

    std::vector<double> values(std::span<const Point> points) override {
        return answers([&] { return inner_.values(points); });
    }
    std::vector<Slope> slopes(std::span<const Point> points) override {
        return answers([&] { return inner_.slopes(points); });
    }
    std::vector<Refit> refits(std::span<const Point> questions) override {
        std::vector<Refit> found;
        for (const Point& question : questions)
            found.push_back(answers([&] { return refitter_.refits({&question, 1}).at(0); }));
        return found;
    }
    const LoopReport& report() const { return report_; }

  private:
    Objective& inner_;
    Refitter& refitter_;
    const std::function<bool()>& stop_;
    LoopReport report_;
};

}  // namespace

engine::ResultWriter fit_alone(const LikelihoodInput& input, const FitProblem& problem,
                               const FitAlone& run) {
    io::RunRecord record = run.record;
    record.input = to_json(input, problem);
    record.input_sha256 = hash_of(input, problem);
    record.warnings = warnings_of(input, problem.wedges);
    WedgeEvaluators evaluators;
    record.time_phase("start device", [&] {
        on_device(Stage::start, "the start of the fit",
                  [&] { evaluators = make_evaluators(input, problem, run.device.backend); });
    });
    StreamObjective on_models(*problem.space, evaluators);
    StreamRefitter refitter(input, problem, evaluators, run.device.backend);
    ObjectiveAlone alone(on_models, refitter, run.stop);
    JointObjective objective(alone, *problem.space, problem.stars_of_wedges());
    const FitCourse course = record.time_phase("fit", [&] {
        return run_course({objective, alone}, *problem.space, problem.plan, problem.errors);
    });
    require_maximum(course.maximum, input.parameters.front());
    std::vector<Evaluation> evaluations;
    on_device(Stage::finish, "the evaluation of the best model", [&] {
        for (std::size_t w = 0; w < evaluators.size(); ++w) {
            const StreamModel best = problem.space->model(course.maximum.best.at, w);
            evaluations.push_back(evaluators[w]->evaluate({&best, 1}, input.wanted()).at(0));
        }
    });
    FinishedFit finished = finish_fit(input, problem, course, std::move(evaluations));
    engine::note_run_alone(run.device, alone.report(), alone.report().tiles_done, record);
    return engine::result_in_memory("fit", std::move(finished), std::move(record),
                                    [](const io::h5::File& file, const FinishedFit& fitted) {
                                        write_finished_fit(file, fitted);
                                    });
}

}  // namespace tessera::likelihood
