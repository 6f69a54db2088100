#include "cli/likelihood_command.hpp"

#include <memory>
#include <new>

#include "cli/agreement.hpp"
#include "cli/build_record.hpp"
#include "cli/finish_run.hpp"
#include "cli/resume.hpp"
#include "cli/run_common.hpp"
#include "guarded_workload.hpp"
#include "io/progress.hpp"
#include "io/result_file.hpp"
#include "io/run_record.hpp"
#include "kokkos_kernels/device.hpp"
#include "kokkos_kernels/device_guard.hpp"
#include "likelihood/compressed_workload.hpp"
#include "likelihood/evaluation_checks.hpp"
#include "likelihood/likelihood_result.hpp"
#include "mpi/gather_by_tile.hpp"
#include "mpi/node_tile_iterator.hpp"
#include "run_tiles.hpp"

namespace tessera::cli {

namespace {

using likelihood::Evaluation;
using likelihood::Integration;
using likelihood::LikelihoodInput;
using likelihood::LikelihoodResult;
using likelihood::WedgeInput;

using ExactJournal = DiskJournal<likelihood::ExactWorkload::Payload>;

void close(ExactJournal& journal, bool to_disk) { journal.close(to_disk); }
template <class Payload>
void close(NoJournal<Payload>&, bool) {}

/// Collective. All tiles over all ranks; the partials in tile order, on rank 0. `resumed`: tiles that
/// the journal has already.
template <class Workload, class Journal>
auto run_workload(const mpi::Communicator& world, mpi::NodeTileIterator& tiles,
                  const std::shared_ptr<Workload>& on_device, Journal& journal,
                  std::int64_t resumed, const kernels::DeviceInfo& device, const StopFlag& stop,
                  bool speaks, io::RunRecord& record) {
    using Payload = typename Workload::Payload;
    GuardedWorkload workload(*on_device, on_device);
    io::Progress progress("likelihood", tiles.tiles_total(), progress_over(world, speaks, resumed));
    TileRun<Payload> run;
    world.together([&] {
        record.time_phase("tiles", [&] {
            run = run_tiles(workload, tiles, journal, watched(stop, tiles, progress));
            close(journal, run.stopped);
        });
    });
    require_whole(world, run, tiles.tiles_total());
    progress.finish();
    auto partials = record.time_phase(
        "gather", [&] { return mpi::gather_by_tile(world, run.partials, tiles.tiles_total()); });
    note_run(world, device, run, tiles.tiles_total(), record);
    say_balance(speaks, record);
    return partials;
}

/// The wedge's tables are on every device before the first tile is handed out. Where that fails the
/// rank's first tile tells, if it draws one, and other ranks take it over.
void prepare(const std::shared_ptr<likelihood::ExactWorkload>& workload) {
    try {
        kernels::guard_device([&] { workload->prepare(); });
    } catch (const DeviceLost&) {
        keep_for_good(workload);
    } catch (const TileFailure&) {
    } catch (const std::bad_alloc&) {
    }
}

/// Tiles are fixed by the input: blocks of columns and of stars, or whole wedges.
std::int64_t number_of_tiles(const LikelihoodInput& input, const std::vector<WedgeInput>& wedges) {
    return static_cast<std::int64_t>(input.integration == Integration::exact
                                         ? likelihood::cut_exact_tiles(wedges).size()
                                         : wedges.size());
}

/// Collective. One evaluation a wedge, on rank 0. `journal`: of the exact integration; null for the
/// compressed one, which takes less time than keeping one.
std::vector<Evaluation> evaluate(const mpi::Communicator& world, mpi::NodeTileIterator& tiles,
                                 const LikelihoodInput& input,
                                 const std::vector<WedgeInput>& wedges, ExactJournal* journal,
                                 const kernels::DeviceInfo& device, const StopFlag& stop,
                                 bool speaks, io::RunRecord& record) {
    std::vector<Evaluation> evaluations;
    if (journal) {
        for (const std::string& message : journal->messages()) say(speaks, message);
        const auto workload =
            std::make_shared<likelihood::ExactWorkload>(wedges, input.evaluation, device.backend);
        world.together([&] { record.time_phase("prepare", [&] { prepare(workload); }); });
        const auto partials = run_workload(world, tiles, workload, *journal,
                                           journal->tiles_resumed(), device, stop, speaks, record);
        record.resumed_devices = journal->resumed_devices();
        world.together([&] {
            if (world.is_root())
                evaluations = likelihood::combine_exact(wedges, partials, {true, false});
        });
    } else {
        const auto workload = std::make_shared<likelihood::CompressedWorkload>(
            wedges, input.evaluation, device.backend);
        NoJournal<likelihood::CompressedWorkload::Payload> none;
        const auto partials =
            run_workload(world, tiles, workload, none, 0, device, stop, speaks, record);
        world.together([&] {
            for (const auto& partial : partials)
                evaluations.push_back(likelihood::unpack(partial.records));
        });
    }
    return evaluations;
}

/// A result that is not finite will be so again: nothing is kept of it then.
LikelihoodResult checked_result(const LikelihoodInput& input, const std::vector<WedgeInput>& wedges,
                                std::vector<Evaluation> evaluations, ExactJournal* journal) {
    try {
        return likelihood::make_likelihood_result(input, wedges, std::move(evaluations));
    } catch (const Error&) {
        if (journal) journal->remove();
        throw;
    }
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
    for (const std::string& warning : likelihood::warnings_of(input_, wedges)) say(speaks, warning);
    world.together([&] { record.input_sha256 = likelihood::hash_of(input_, wedges); });
    const io::RunIdentity identity =
        agreed_identity(world, "likelihood", record.input_sha256, number_of_tiles(input_, wedges));
    mpi::NodeTileIterator tiles(world, cut_into_tiles(identity.tiles_total, 1), options_.schedule);
    const auto device =
        record.time_phase("start device", [&] { return start_runtime(world, options_.device); });
    announce_devices(world, device->info(), speaks, record);
    std::unique_ptr<ExactJournal> journal;
    if (input_.integration == Integration::exact)
        journal = std::make_unique<ExactJournal>(
            world,
            journal_request(options_.output, identity, device->info(), options_.force, &stop));
    auto evaluations =
        evaluate(world, tiles, input_, wedges, journal.get(), device->info(), stop, speaks, record);

    world.together([&] {
        if (!world.is_root()) return;
        const LikelihoodResult result =
            checked_result(input_, wedges, std::move(evaluations), journal.get());
        record.input = likelihood::to_json(input_, wedges);
        io::ResultFile file(options_.output, "likelihood", program_version(), options_.force,
                            {journal ? journal->file("result.h5") : ""});
        finish_run(
            file, record, options_.quiet,
            [&] { likelihood::write_likelihood_result(file.root(), result, wedges); },
            [&] {
                if (journal) journal->remove();
            },
            [&] { return likelihood::report_text(result); });
    });
    return 0;
}

std::string describe_likelihood(const io::h5::Group& root) {
    return likelihood::report_text(likelihood::read_likelihood_result(root));
}

}  // namespace tessera::cli
