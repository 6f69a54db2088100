#include "app/sample_command.hpp"

#include <fmt/format.h>

#include <memory>

#include "app/config_file.hpp"
#include "app/fit_device.hpp"
#include "engine/agreement.hpp"
#include "engine/build_record.hpp"
#include "engine/finish_run.hpp"
#include "engine/run_notes.hpp"
#include "engine/start_device.hpp"
#include "io/hdf5/result_file.hpp"
#include "io/hdf5/run_record.hpp"
#include "io/text/counted.hpp"
#include "likelihood/model/evaluation_checks.hpp"
#include "likelihood/sample/sample_result.hpp"
#include "likelihood/sample/sample_run.hpp"

namespace tessera::app {

namespace {

using likelihood::SampleProblem;

/// The data of a sampling that every rank has before the first evaluation.
struct SampleJob {
    const likelihood::LikelihoodInput& input;
    const SampleProblem& problem;
    const io::RunIdentity& identity;
    const FitDevice& device;
    const FitRunOptions& options;
    const StopFlag& stop;
};

/// On rank 0: the result file, and the report.
void write_result(const SampleJob& job, const likelihood::Samples& samples,
                  io::PartialFolder& folder, io::RunRecord& record) {
    const SampleProblem& problem = job.problem;
    const auto draws = likelihood::make_draws(samples, problem);
    const auto result = record.time_phase(
        "diagnostics", [&] { return likelihood::make_sample_result(samples, draws, problem); });
    record.input = likelihood::to_json(job.input, problem);
    io::ResultFile file(job.options.output, "sample", engine::program_version(), job.options.force);
    engine::finish_run(
        file, record, job.options.quiet,
        [&] { likelihood::write_sample(file.root(), result, draws, samples, problem.plan); },
        [&] { folder.remove(); }, [&] { return likelihood::report_text(result); });
}

/// Collective over the ranks that have an evaluator.
void sample_and_write(const mpi::Communicator& world, const SampleJob& job, io::RunRecord& record) {
    const auto& [input, problem, identity, device, options, stop] = job;
    const bool speaks = world.is_root() && !options.quiet;
    std::unique_ptr<io::PartialFolder> folder;
    world.together([&] {
        if (world.is_root()) folder = open_folder(options.output, options.force, identity, stop);
    });
    engine::announce_devices(world, device.info(), speaks, record);
    engine::say(speaks, fmt::format("sample: {}, {} of {}", size_text(problem.fit),
                                    io::counted(problem.plan.chains, "chain"),
                                    likelihood::name_of(problem.plan.sampler)));
    const likelihood::Conductor conductor{problem.fit,  device.evaluators,
                                          stop,         engine::kinds_of(world, device.info()),
                                          folder.get(), speaks};
    const auto outcome = likelihood::run_sample(world, problem, conductor, record);
    note_conducted(world, device, outcome.conducted, speaks, record);
    world.together([&] {
        if (world.is_root()) write_result(job, outcome.samples, *folder, record);
    });
}

}  // namespace

int SampleCommand::run(const mpi::Communicator& world, const std::string& command_line,
                       const StopFlag& stop) {
    const bool speaks = world.is_root() && !options_.quiet;
    io::RunRecord record;
    record.command_line = command_line;
    record.config = config_text(*command_);
    SampleProblem problem;
    world.together([&] {
        finish_input();
        if (world.is_root()) io::check_output_path(options_.output, options_.force);
        problem = record.time_phase(
            "reading", [&] { return likelihood::read_sample_problem(input_, choices_); });
        record.input_sha256 = likelihood::hash_of(input_, problem);
        expected_.check(record.input_sha256);
    });
    const io::RunIdentity identity =
        engine::agreed_identity(world, "sample", record.input_sha256, 0);
    for (const std::string& warning : likelihood::warnings_of(input_, problem.fit.wedges))
        engine::say(speaks, warning);
    if (const auto unused = likelihood::unused_options(problem.plan); !unused.empty())
        engine::say(speaks, "warning: " + unused);
    return run_with_evaluator(
        world, input_, problem.fit, options_, record,
        [&](const mpi::Communicator& ranks, const FitDevice& device) {
            sample_and_write(ranks, {input_, problem, identity, device, options_, stop}, record);
            return 0;
        });
}

std::string describe_sample(const io::h5::Group& root) {
    return likelihood::report_text(likelihood::read_sample_result(root));
}

}  // namespace tessera::app
