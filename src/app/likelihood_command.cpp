#include "app/likelihood_command.hpp"

#include <memory>
#include <new>

#include "engine/agreement.hpp"
#include "engine/build_record.hpp"
#include "engine/finish_run.hpp"
#include "engine/guarded_workload.hpp"
#include "engine/resume.hpp"
#include "engine/run_notes.hpp"
#include "engine/run_tiles.hpp"
#include "engine/run_workload.hpp"
#include "engine/start_device.hpp"
#include "io/hdf5/result_file.hpp"
#include "io/hdf5/run_record.hpp"
#include "io/text/progress.hpp"
#include "kokkos_kernels/device/device.hpp"
#include "kokkos_kernels/device/device_guard.hpp"
#include "likelihood/compressed/workload.hpp"
#include "likelihood/exact/workload.hpp"
#include "likelihood/model/evaluation_checks.hpp"
#include "likelihood/result/result.hpp"
#include "mpi/gather_by_tile.hpp"
#include "mpi/scheduling/node_tile_iterator.hpp"

namespace tessera::app {

namespace {

using likelihood::Evaluation;
using likelihood::Integration;
using likelihood::LikelihoodInput;
using likelihood::LikelihoodResult;
using likelihood::WedgeInput;

using ExactJournal = DiskJournal<likelihood::ExactWorkload::Payload>;

/// The data that all wedges of a run share.
struct LikelihoodJob {
    const LikelihoodInput& input;
    const std::vector<WedgeInput>& wedges;
    const kernels::DeviceInfo& device;
    const StopFlag& stop;
    bool quiet = false;
};

/// Collective. Runs all tiles and returns their partials in tile order, on rank 0.
template <class Workload, class Journal>
auto run_and_gather(const mpi::Communicator& world, const LikelihoodJob& job,
                    mpi::NodeTileIterator& tiles, const std::shared_ptr<Workload>& on_device,
                    Journal& journal, io::RunRecord& record) {
    GuardedWorkload workload(*on_device, on_device);
    const auto run =
        engine::run_workload(world, workload, tiles, journal,
                             {"likelihood", "tiles", job.device, job.stop, job.quiet}, record);
    return engine::gather_partials(world, run, record);
}

/// Loads the tables of the first wedge before tiles are handed out. If this fails, the first tile
/// of the rank fails too, and other ranks take it over.
void prepare(const std::shared_ptr<likelihood::ExactWorkload>& workload) {
    try {
        kernels::guard_device([&] { workload->prepare(); });
    } catch (const DeviceLost&) {
        keep_for_good(workload);
    } catch (const TileFailure&) {
    } catch (const std::bad_alloc&) {
    }
}

/// Number of tiles, which depends on the input alone. Tiles are blocks of columns and of stars, or
/// whole wedges.
std::int64_t number_of_tiles(const LikelihoodInput& input, const std::vector<WedgeInput>& wedges) {
    return static_cast<std::int64_t>(input.integration == Integration::exact
                                         ? likelihood::cut_exact_tiles(wedges).size()
                                         : wedges.size());
}

/// Collective. Returns one evaluation for each wedge, on rank 0, by the exact integration.
std::vector<Evaluation> evaluate_exactly(const mpi::Communicator& world, const LikelihoodJob& job,
                                         mpi::NodeTileIterator& tiles, ExactJournal& journal,
                                         io::RunRecord& record) {
    for (const std::string& message : journal.messages())
        engine::say(world.is_root() && !job.quiet, message);
    const auto workload = std::make_shared<likelihood::ExactWorkload>(
        job.wedges, job.input.evaluation, job.device.backend);
    world.together([&] { record.time_phase("prepare", [&] { prepare(workload); }); });
    const auto partials = run_and_gather(world, job, tiles, workload, journal, record);
    record.resumed_devices = journal.resumed_devices();
    std::vector<Evaluation> evaluations;
    world.together([&] {
        if (world.is_root())
            evaluations = likelihood::combine_exact(job.wedges, partials, {true, false});
    });
    return evaluations;
}

/// Collective. The same by the compressed integration. It has no journal, which would take longer.
std::vector<Evaluation> evaluate_compressed(const mpi::Communicator& world,
                                            const LikelihoodJob& job, mpi::NodeTileIterator& tiles,
                                            io::RunRecord& record) {
    const auto workload = std::make_shared<likelihood::CompressedWorkload>(
        job.wedges, job.input.evaluation, job.device.backend);
    NoJournal<likelihood::CompressedWorkload::Payload> none;
    const auto partials = run_and_gather(world, job, tiles, workload, none, record);
    std::vector<Evaluation> evaluations;
    world.together([&] {
        for (const auto& partial : partials)
            evaluations.push_back(likelihood::unpack(partial.records));
    });
    return evaluations;
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
    world.together([&] { record.input_sha256 = likelihood::hash_of(input_, wedges); });
    const io::RunIdentity identity = engine::agreed_identity(
        world, "likelihood", record.input_sha256, number_of_tiles(input_, wedges));
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
    auto evaluations = journal ? evaluate_exactly(world, job, tiles, *journal, record)
                               : evaluate_compressed(world, job, tiles, record);

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
