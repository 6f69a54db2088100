#include "app/fit_command.hpp"

#include <memory>
#include <optional>

#include "app/config_file.hpp"
#include "app/fit_device.hpp"
#include "engine/agreement.hpp"
#include "engine/build_record.hpp"
#include "engine/finish_run.hpp"
#include "engine/run_notes.hpp"
#include "engine/start_device.hpp"
#include "io/hdf5/result_file.hpp"
#include "io/hdf5/run_record.hpp"
#include "likelihood/fit/finish_fit.hpp"
#include "likelihood/fit/fit_run.hpp"
#include "likelihood/fit/stream_refitter.hpp"
#include "likelihood/model/evaluation_checks.hpp"
#include "likelihood/model/thin_streams.hpp"

namespace tessera::app {

namespace {

using likelihood::FitProblem;

/// The data of a fit that every rank has before the first evaluation.
struct FitJob {
    const likelihood::LikelihoodInput& input;
    const FitProblem& problem;
    const io::RunIdentity& identity;
    const std::string& parameters;
    const FitDevice& device;
    const FitRunOptions& options;
    const StopFlag& stop;
    const likelihood::StreamNumbers* numbers;  ///< null: those of the files
};

/// A line for each stream of the best model that is too thin for the quadrature.
std::string thin_streams_of(const likelihood::FinishedFit& fit, const FitJob& job) {
    std::string lines;
    for (std::size_t w = 0; w < fit.wedges.size(); ++w)
        for (const std::string& warning : likelihood::thin_stream_warnings(
                 fit.wedges[w].model, "the best model of " + job.input.parameters[w]))
            lines += warning + "\n";
    return lines;
}

/// On rank 0: the result file, and the report.
void write_result(const FitJob& job, const FitProblem& problem, const likelihood::FitOutcome& fit,
                  std::vector<likelihood::Evaluation> evaluations, io::PartialFolder& folder,
                  io::RunRecord& record) {
    const auto& asynchronous = fit.conducted.asynchronous;
    auto finished = likelihood::finish_fit(job.input, problem, fit.course, std::move(evaluations));
    finished.fit.asynchronous = asynchronous;
    finished.fit.numbers = fit.rows;
    if (asynchronous && asynchronous->asynchronous)
        finished.fit.likelihood = finished.best.search_likelihood();
    record.input = likelihood::to_json(job.input, problem);
    if (asynchronous) record.warnings = asynchronous->warnings;
    io::ResultFile file(job.options.output, "fit", engine::program_version(), job.options.force);
    engine::finish_run(
        file, record, job.options.quiet, [&] { likelihood::write_finished_fit(file, finished); },
        [&] { folder.remove(); },
        [&] { return likelihood::report_text(finished.fit) + thin_streams_of(finished, job); });
}

/// Collective over the ranks that have evaluators.
void fit_and_write(const mpi::Communicator& world, const FitJob& job, io::RunRecord& record) {
    const auto& [input, problem, identity, parameters, device, options, stop, numbers] = job;
    const bool speaks = world.is_root() && !options.quiet;
    std::unique_ptr<io::PartialFolder> folder;
    world.together([&] {
        if (!world.is_root()) return;
        folder = open_folder(options.output, options.force, identity, stop);
    });
    engine::announce_devices(world, device.info(), speaks, record);
    engine::say(speaks, "fit: " + size_text(problem));

    likelihood::StreamRefitter refitter(input, problem, device.evaluators, device.info().backend);
    std::optional<likelihood::StagedObjective> staged;
    if (numbers) staged.emplace(*numbers, device.info().backend);
    const likelihood::Conductor conductor{problem,
                                          device.evaluators,
                                          stop,
                                          engine::kinds_of(world, device.info()),
                                          folder.get(),
                                          speaks,
                                          &refitter,
                                          engine::device_kind(device.info()),
                                          staged ? &*staged : nullptr};
    const auto fit = likelihood::run_fit(world, problem, conductor, parameters, numbers, record);
    FitProblem chosen;
    likelihood::WedgeEvaluators evaluators;
    world.together([&] {
        if (!numbers) return;
        chosen = numbers->problem(fit.numbers);
        evaluators = likelihood::make_evaluators(input, chosen, device.info().backend);
    });
    const FitProblem& fitted = numbers ? chosen : problem;
    auto evaluations = likelihood::evaluate_best(
        world, {fitted, numbers ? evaluators : device.evaluators, stop, {}},
        fit.course.maximum.best.at, input.wanted());
    note_conducted(world, device, fit.conducted, speaks, record);

    world.together([&] {
        if (world.is_root())
            write_result(job, fitted, fit, std::move(evaluations), *folder, record);
    });
}

}  // namespace

int FitCommand::run(const mpi::Communicator& world, const std::string& command_line,
                    const StopFlag& stop) {
    const bool speaks = world.is_root() && !options_.quiet;
    io::RunRecord record;
    record.command_line = command_line;
    record.config = config_text(*command_);
    FitProblem problem;
    std::optional<likelihood::StreamNumbers> numbers;
    world.together([&] {
        finish_input();
        if (world.is_root()) io::check_output_path(options_.output, options_.force);
        const auto settings_of = [this](const io::TextSource& text) { return settings(text); };
        problem = record.time_phase(
            "reading", [&] { return likelihood::read_fit_problem(input_, settings_of); });
        if (problem.settings.most_streams > 0) numbers.emplace(input_, problem, settings_of);
        record.input_sha256 = likelihood::hash_of(input_, problem);
        expected_.check(record.input_sha256);
    });
    const io::RunIdentity identity = engine::agreed_identity(world, "fit", record.input_sha256, 0);
    for (const std::string& warning : likelihood::warnings_of(input_, problem.wedges))
        engine::say(speaks, warning);
    for (const std::string& line : choices_.unused(problem.settings))
        engine::say(speaks, "warning: " + line);
    return run_with_evaluator(world, input_, problem, options_, record,
                              [&](const mpi::Communicator& ranks, const FitDevice& device) {
                                  fit_and_write(ranks,
                                                {input_, problem, identity, input_.parameters[0],
                                                 device, options_, stop,
                                                 numbers ? &*numbers : nullptr},
                                                record);
                                  return 0;
                              });
}

std::string describe_fit(const io::h5::Group& root) {
    return likelihood::report_text(likelihood::read_fit_result(root));
}

}  // namespace tessera::app
