#include "cli/fit_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <set>

#include <nlohmann/json.hpp>

#include "cli/agreement.hpp"
#include "cli/build_record.hpp"
#include "cli/finish_run.hpp"
#include "cli/fit_devices.hpp"
#include "cli/fit_progress.hpp"
#include "cli/run_common.hpp"
#include "guarded_workload.hpp"
#include "io/partial_folder.hpp"
#include "io/result_file.hpp"
#include "io/run_record.hpp"
#include "io/sha256.hpp"
#include "kokkos_kernels/device.hpp"
#include "likelihood/differenced_evaluator.hpp"
#include "likelihood/evaluation_checks.hpp"
#include "likelihood/evaluation_record.hpp"
#include "likelihood/fit/fit_plan.hpp"
#include "likelihood/fit/fit_result.hpp"
#include "likelihood/fit/recorded_objective.hpp"
#include "likelihood/fit/shared_objective.hpp"
#include "likelihood/fit/stream_objective.hpp"
#include "likelihood/likelihood_result.hpp"

namespace tessera::cli {

namespace {

using likelihood::Maximum;
using likelihood::StreamSpace;
using likelihood::WedgeInput;

/// What is to be fitted, on every rank; `settings` with all defaults.
struct FitProblem {
    std::vector<WedgeInput> wedges;  ///< one
    std::unique_ptr<StreamSpace> space;
    likelihood::MaximisePlan plan;
    io::FitSettings settings;

    const WedgeInput& wedge() const { return wedges.front(); }
};

/// `settings_of`: how to fit, as the text of the parameter file says.
template <class SettingsOf>
FitProblem read_problem(const likelihood::LikelihoodInput& input, SettingsOf&& settings_of) {
    FitProblem problem;
    problem.wedges = likelihood::read_wedges(input);
    const WedgeInput& wedge = problem.wedge();
    const io::FitSettings settings = settings_of(wedge.model_text);
    auto free = likelihood::free_parameters(wedge.model, settings);
    if (free.empty())
        throw Error("there is nothing to fit", "no parameter is free", "give [fit] free = [...]");
    problem.space = std::make_unique<StreamSpace>(wedge.model, std::move(free));
    problem.plan = likelihood::resolved_plan(settings, *problem.space, wedge.model,
                                             wedge.stars.size(), input.evaluation.tolerance);
    problem.settings = likelihood::with_defaults(settings, problem.plan, *problem.space);
    return problem;
}

std::unique_ptr<likelihood::WedgeEvaluator> make_evaluator(const likelihood::LikelihoodInput& input,
                                                           const FitProblem& problem,
                                                           kernels::Backend backend) {
    const WedgeInput& wedge = problem.wedge();
    if (input.integration == likelihood::Integration::compressed)
        return likelihood::make_compressed_evaluator(wedge.model, wedge.stars, input.evaluation,
                                                     backend);
    std::vector<likelihood::Differenced> moving;
    for (const likelihood::FreeParameter& free : problem.space->free())
        moving.push_back({free.index, free.width()});
    const bool in_double = input.evaluation.precision == kernels::Precision::double_precision;
    return likelihood::make_differenced_evaluator(
        likelihood::make_exact_evaluator(wedge.model, wedge.stars, input.evaluation, backend),
        std::move(moving), in_double ? 1e-13 : 1e-9);
}

std::string input_json(const likelihood::LikelihoodInput& input, const FitProblem& problem) {
    auto json = nlohmann::ordered_json::parse(likelihood::to_json(input, problem.wedges));
    json["fit"] = nlohmann::ordered_json::parse(likelihood::to_json(problem.settings));
    return json.dump(2);
}

/// Of what decides the result.
std::string input_hash(const likelihood::LikelihoodInput& input, const FitProblem& problem) {
    return io::sha256_of(likelihood::hash_of(input, problem.wedges) +
                         likelihood::to_json(problem.settings));
}

/// Rank 0, once all else is known to work: a command that cannot begin leaves no folder.
std::unique_ptr<io::PartialFolder>
open_folder(const FitRunOptions& options, const io::RunIdentity& identity, const StopFlag& stop) {
    auto folder = std::make_unique<io::PartialFolder>(options.output, identity, options.force,
                                                      io::lock_patience(), &stop.flag());
    // Whoever held the folder until now may have finished this very run.
    io::check_output_path(options.output, options.force);
    return folder;
}

/// Collective. The kinds of the ranks' devices on rank 0, each once.
std::string kinds_of(const mpi::Communicator& world, const kernels::DeviceInfo& device) {
    std::set<std::string> kinds;
    for (const auto& kind : world.gather(std::vector{FixedString<192>(device_kind(device))}))
        kinds.insert(kind.str());
    return fmt::format("{}", fmt::join(kinds, " and "));
}

/// What earlier attempts have left, on rank 0.
struct Resumed {
    std::int64_t batches = 0;
    std::string devices;
};

/// Rank 0: the course of the fit, written down in `folder`.
Maximum conduct(likelihood::SharedObjective& shared, const FitProblem& problem,
                const io::PartialFolder& folder, const std::string& kinds, bool speaks,
                Resumed& resumed) {
    struct Service {  // the others are let go however this ends
        likelihood::SharedObjective& shared;
        ~Service() { shared.finish(); }
    } const service{shared};
    likelihood::RecordedObjective recorded(shared, folder.file("evaluations"), folder.key());
    resumed.batches = recorded.batches_resumed();
    const FitDevices devices(folder.file("devices"), folder.key(), resumed.batches, kinds);
    resumed.devices = devices.resumed_devices();
    if (resumed.batches > 0)
        say(speaks,
            fmt::format("goes on after {} batches of evaluations done before", resumed.batches));
    if (devices.differ())
        say(speaks, fmt::format("note: batches done before are of another kind of device ({}): "
                                "last bits may differ between kinds",
                                resumed.devices));
    FitProgressLine line(speaks);
    try {
        return likelihood::maximise(recorded, *problem.space, problem.plan,
                                    [&](const auto& progress) { line.update(progress); });
    } catch (const likelihood::Stopped&) {
        throw Error("stopped before the fit was complete", "a signal asked for it",
                    "start the same command again", ExitCode::requeue);
    }
}

/// Collective. The evaluation of the model at `best`, with the stars' densities, on rank 0: by the first rank
/// that has a device.
std::vector<likelihood::Evaluation> evaluate_best(const mpi::Communicator& world,
                                                  const StreamSpace& space, likelihood::Point best,
                                                  likelihood::WedgeEvaluator& evaluator) {
    world.broadcast(best);
    const likelihood::StreamModel model = space.model(best);
    for (int rank = 0; rank < world.size(); ++rank) {
        std::vector<double> numbers;
        world.together([&] {
            if (world.rank() != rank) return;
            try_on_device(Stage::rank, "the evaluation of the best model", [&] {
                numbers = likelihood::pack(evaluator.evaluate({&model, 1}, {true, false}).at(0));
            });
        });
        world.broadcast(numbers, rank);
        if (!numbers.empty()) return {likelihood::unpack(numbers)};
    }
    throw mpi::SharedError("cannot evaluate the best model", "no rank has a device any more",
                           "start the same command again", ExitCode::resources);
}

/// Throws Error where the search has found nothing at all; there is nothing to go on with then.
void require_maximum(const Maximum& maximum, const std::string& parameters,
                     io::PartialFolder& folder) {
    if (!maximum.climbs.empty()) return;
    folder.remove();
    throw Error("cannot fit '" + parameters + "'", "no point of the search has a finite likelihood",
                "narrow the bounds, or start from the file's numbers", ExitCode::numerics);
}

/// This rank's device and the evaluator on it.
struct FitDevice {
    std::unique_ptr<kernels::DeviceRuntime> runtime;
    std::shared_ptr<likelihood::WedgeEvaluator> evaluator;

    const kernels::DeviceInfo& info() const { return runtime->info(); }
};

/// What ranks know before the first evaluation.
struct FitJob {
    const likelihood::LikelihoodInput& input;
    const FitProblem& problem;
    const io::RunIdentity& identity;
    const std::string& parameters;
    const FitDevice& device;
    const FitRunOptions& options;
    const StopFlag& stop;
};

/// Collective over the ranks that have an evaluator.
void fit_and_write(const mpi::Communicator& world, const FitJob& job, io::RunRecord& record) {
    const auto& [input, problem, identity, parameters, device, options, stop] = job;
    const bool speaks = world.is_root() && !options.quiet;
    std::unique_ptr<io::PartialFolder> folder;
    world.together([&] {
        if (!world.is_root()) return;
        folder = open_folder(options, identity, stop);
    });
    announce_devices(world, device.info(), speaks, record);
    say(speaks, fmt::format("fit: {} stars, {} free parameters", problem.wedge().stars.size(),
                            problem.space->dimension()));

    likelihood::StreamObjective mine(*problem.space, *device.evaluator);
    likelihood::SharedObjective shared(world, mine, stop.flag());
    const std::string kinds = kinds_of(world, device.info());
    Maximum maximum;
    Resumed resumed;
    world.together([&] {
        record.time_phase("fit", [&] {
            if (world.is_root())
                maximum = conduct(shared, problem, *folder, kinds, speaks, resumed);
            else
                shared.serve();
        });
    });
    world.together([&] {
        if (world.is_root()) require_maximum(maximum, parameters, *folder);
    });
    auto evaluations = evaluate_best(world, *problem.space, maximum.best.at, *device.evaluator);
    note_run(world, device.info(), shared.run(), shared.tiles_total(), record);
    note_devices_lost_since(world, shared.run(), "device lost at the end", record);
    record.tiles_resumed = resumed.batches;
    record.resumed_devices = resumed.devices;
    say_balance(speaks, record);

    world.together([&] {
        if (!world.is_root()) return;
        const auto fit = likelihood::make_fit_result(maximum, *problem.space, problem.settings);
        WedgeInput best{problem.space->model(maximum.best.at), problem.wedge().stars};
        std::vector<WedgeInput> wedges{std::move(best)};
        const auto result =
            likelihood::make_likelihood_result(input, wedges, std::move(evaluations));
        record.input = input_json(input, problem);
        io::ResultFile file(options.output, "fit", program_version(), options.force);
        finish_run(
            file, record, options.quiet,
            [&] {
                likelihood::write_fit_result(file.root(), fit);
                likelihood::write_likelihood_result(file.root(), result, wedges);
            },
            [&] { folder->remove(); }, [&] { return likelihood::report_text(fit); });
    });
}

}  // namespace

int FitCommand::run(const mpi::Communicator& world, const std::string& command_line,
                    const StopFlag& stop) {
    const bool speaks = world.is_root() && !options_.quiet;
    io::RunRecord record;
    record.command_line = command_line;
    FitProblem problem;
    world.together([&] {
        finish_input();
        if (world.is_root()) io::check_output_path(options_.output, options_.force);
        problem = record.time_phase("reading", [&] {
            return read_problem(input_,
                                [&](const auto& parameters) { return settings(parameters); });
        });
        record.input_sha256 = input_hash(input_, problem);
    });
    const io::RunIdentity identity = agreed_identity(world, "fit", record.input_sha256, 0);
    for (const std::string& warning : likelihood::warnings_of(input_, problem.wedges))
        say(speaks, warning);
    const TileWatch watch(options_.deadline, place_of(world));
    FitDevice device;
    device.runtime =
        record.time_phase("start device", [&] { return start_runtime(world, options_.device); });
    const auto start_evaluator = [&] {
        record.time_phase("start device", [&] {
            device.evaluator =
                kernels::kept_if_lost(make_evaluator(input_, problem, device.info().backend));
        });
    };
    return run_where_started(world, start_evaluator, [&](const mpi::Communicator& ranks) {
        fit_and_write(ranks, {input_, problem, identity, parameters_, device, options_, stop},
                      record);
        return 0;
    });
}

std::string describe_fit(const io::h5::Group& root) {
    return likelihood::report_text(likelihood::read_fit_result(root));
}

}  // namespace tessera::cli
