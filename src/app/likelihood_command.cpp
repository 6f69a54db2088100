#include "app/likelihood_command.hpp"

#include <memory>

#include "app/config_file.hpp"
#include "engine/agreement.hpp"
#include "engine/build_record.hpp"
#include "engine/finish_run.hpp"
#include "engine/resume.hpp"
#include "engine/run_notes.hpp"
#include "engine/start_device.hpp"
#include "io/hdf5/result_file.hpp"
#include "io/hdf5/run_record.hpp"
#include "io/text/progress.hpp"
#include "kokkos_kernels/device/device.hpp"
#include "likelihood/model/evaluation_checks.hpp"
#include "likelihood/result/result.hpp"
#include "likelihood/run/evaluate_wedges.hpp"
#include "mpi/scheduling/node_tile_iterator.hpp"

namespace tessera::app {

namespace {

using likelihood::Evaluation;
using likelihood::ExactJournal;
using likelihood::Integration;
using likelihood::LikelihoodInput;
using likelihood::LikelihoodJob;
using likelihood::LikelihoodResult;
using likelihood::WedgeInput;

/// A fit and a sampling take it for the noise of the likelihood, whatever the integration.
bool ignores_tolerance(const LikelihoodInput& input) {
    return input.integration == Integration::exact &&
           input.evaluation.tolerance != LikelihoodInput{}.evaluation.tolerance;
}

/// Removes the journal if the result is not finite, because another run would give the same.
LikelihoodResult checked_result(const LikelihoodInput& input, const std::vector<WedgeInput>& wedges,
                                std::vector<Evaluation> evaluations, ExactJournal* journal) {
    try {
        return likelihood::make_likelihood_result(input, wedges, std::move(evaluations));
    } catch (const Error&) {
        if (journal) journal->remove();
        throw;
    }
}

/// On rank 0: the result file, and the report.
void write_result(const LikelihoodJob& job, const LikelihoodRunOptions& options,
                  std::vector<Evaluation> evaluations, ExactJournal* journal,
                  io::RunRecord& record) {
    const LikelihoodResult result =
        checked_result(job.input, job.wedges, std::move(evaluations), journal);
    record.input = likelihood::to_json(job.input, job.wedges);
    io::ResultFile file(options.output, "likelihood", engine::program_version(), options.force,
                        {journal ? journal->file("result.h5") : ""});
    engine::finish_run(
        file, record, options.quiet,
        [&] { likelihood::write_likelihood_result(file.root(), result, job.wedges); },
        [&] {
            if (journal) journal->remove();
        },
        [&] { return likelihood::report_text(result); });
}

}  // namespace

int LikelihoodCommand::run(const mpi::Communicator& world, const std::string& command_line,
                           const StopFlag& stop) {
    const bool speaks = world.is_root() && !options_.quiet;
    io::RunRecord record;
    record.command_line = command_line;
    record.config = config_text(*command_);
    std::vector<WedgeInput> wedges;
    world.together([&] {
        finish_input();
        if (world.is_root()) io::check_output_path(options_.output, options_.force);
        wedges = record.time_phase("reading", [&] { return likelihood::read_wedges(input_); });
        for (std::size_t w = 0; w < wedges.size(); ++w)
            likelihood::require_streams(wedges[w].model, input_.parameters[w]);
    });
    for (const std::string& warning : likelihood::warnings_of(input_, wedges))
        engine::say(speaks, warning);
    if (ignores_tolerance(input_))
        engine::say(speaks,
                    "warning: --tolerance with --integration exact: every point is summed, so that "
                    "nothing changes");
    world.together([&] {
        record.input_sha256 = likelihood::hash_of(input_, wedges);
        expected_.check(record.input_sha256);
    });
    const io::RunIdentity identity = engine::agreed_identity(
        world, "likelihood", record.input_sha256, likelihood::number_of_tiles(input_, wedges));
    mpi::NodeTileIterator tiles(world, cut_into_tiles(identity.tiles_total, 1), options_.schedule);
    const auto device = record.time_phase(
        "start device", [&] { return engine::start_device(world, options_.device); });
    engine::announce_devices(world, device->info(), speaks, record);
    std::unique_ptr<ExactJournal> journal;
    if (input_.integration == Integration::exact)
        journal = std::make_unique<ExactJournal>(
            world, engine::journal_request(options_.output, identity, device->info(),
                                           options_.force, &stop));
    const LikelihoodJob job{input_, wedges, device->info(), stop, options_.quiet};
    auto evaluations = journal ? likelihood::evaluate_exactly(world, job, tiles, *journal, record)
                               : likelihood::evaluate_compressed(world, job, tiles, record);

    world.together([&] {
        if (world.is_root())
            write_result(job, options_, std::move(evaluations), journal.get(), record);
    });
    return 0;
}

std::string describe_likelihood(const io::h5::Group& root) {
    return likelihood::report_text(likelihood::read_likelihood_result(root));
}

}  // namespace tessera::app
