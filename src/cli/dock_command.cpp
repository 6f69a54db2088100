#include "cli/dock_command.hpp"

#include <fmt/format.h>

#include <memory>

#include "cli/agreement.hpp"
#include "cli/build_record.hpp"
#include "cli/dock_after_search.hpp"
#include "cli/dock_common.hpp"
#include "cli/dock_pairs_command.hpp"
#include "cli/finish_run.hpp"
#include "cli/resume.hpp"
#include "cli/run_common.hpp"
#include "docking/dock_result.hpp"
#include "docking/dock_workload.hpp"
#include "docking/finish_result.hpp"
#include "docking/prepare.hpp"
#include "docking/report.hpp"
#include "guarded_workload.hpp"
#include "io/progress.hpp"
#include "io/result_file.hpp"
#include "io/run_record.hpp"
#include "kokkos_kernels/device.hpp"
#include "kokkos_kernels/device_guard.hpp"
#include "mpi/node_tile_iterator.hpp"
#include "plan/device_description.hpp"
#include "run_tiles.hpp"

namespace tessera::cli {

namespace {

using docking::DockInput;
using docking::DockResult;
using docking::PreparedDocking;
using kernels::PoseRecord;

std::string memory_line(const kernels::SearchMemory& memory, int members) {
    std::string line = fmt::format(
        "memory: {:.2f} GiB planned (receptor {:.2f}, ligand {:.2f}, scores {:.2f}, FFT {:.2f})",
        memory.total() / 0x1p30, memory.receptor_bytes / 0x1p30, memory.ligand_bytes / 0x1p30,
        memory.score_bytes / 0x1p30, memory.workspace_bytes / 0x1p30);
    if (memory.members_resident < members)
        line += fmt::format("; receptor spectra made anew for {} of {} orbit members at a time",
                            memory.members_resident, members);
    return line;
}

/// Collective. What every rank needs before the first tile; the rotations are rank 0's.
PreparedDocking prepare_on_all(const mpi::Communicator& world, const DockInput& input,
                               io::RunRecord& record) {
    docking::RotationSet rotations;
    world.together([&] {
        if (world.is_root()) rotations = docking::choose_rotations(input);
    });
    broadcast(world, rotations);
    PreparedDocking prepared;
    world.together([&] {
        prepared = record.time_phase("prepare",
                                     [&] { return docking::prepare(input, std::move(rotations)); });
    });
    return prepared;
}

std::vector<Tile> tiles_of(const docking::RotationSet& rotations) {
    return cut_into_tiles(static_cast<std::int64_t>(rotations.bases.size()),
                          docking::bases_per_tile(rotations));
}

/// This rank's device and the search on it.
struct DockDevice {
    std::unique_ptr<kernels::DeviceRuntime> runtime;
    std::shared_ptr<kernels::CorrelationSearch> search;

    const kernels::DeviceInfo& info() const { return runtime->info(); }
};

/// On rank 0: the rest of the answer, and the file.
void finish_and_write(const DockInput& input, const PreparedDocking& prepared,
                      docking::RankedPoses ranked, const RunOptions& options,
                      DiskJournal<PoseRecord>& journal, io::RunRecord& record) {
    DockResult result = record.time_phase("cluster and evaluate", [&] {
        return docking::finish_result(input, prepared, std::move(ranked));
    });
    record.input = docking::to_json(input);
    record.input_sha256 = prepared.input_sha256;
    record.warnings = prepared.warnings;
    io::ResultFile file(options.output, "dock", program_version(), options.force,
                        {journal.file("result.h5")});
    finish_run(
        file, record, options.quiet, [&] { docking::write_dock_result(file.root(), result); },
        [&] { journal.remove(); },
        [&] { return docking::report_table(result, static_cast<std::size_t>(options.report)); });
}

/// What ranks know before the first tile.
struct DockJob {
    const DockInput& input;
    const PreparedDocking& prepared;
    const io::RunIdentity& identity;
    const DockDevice& device;
    const RunOptions& options;
    const StopFlag& stop;
};

/// Collective over the ranks that have a search.
void search_and_write(const mpi::Communicator& world, const DockJob& job, io::RunRecord& record) {
    const auto& [input, prepared, identity, device, options, stop] = job;
    const bool speaks = world.is_root() && !options.quiet;
    mpi::NodeTileIterator tiles(world, tiles_of(prepared.rotations), options.schedule);
    announce_devices(world, device.info(), speaks, record);
    say(speaks,
        memory_line(device.search->memory(), static_cast<int>(prepared.problem.group.size())));

    docking::DockWorkload on_device(*device.search, prepared.rotations);
    GuardedWorkload workload(on_device, device.search);
    DiskJournal<PoseRecord> journal(
        world, journal_request(options.output, identity, device.info(), options.force, &stop));
    for (const std::string& message : journal.messages()) say(speaks, message);
    io::Progress progress("docking", tiles.tiles_total(),
                          progress_over(world, speaks, journal.tiles_resumed()));
    TileRun<PoseRecord> run;
    world.together([&] {
        record.time_phase("search", [&] {
            run = run_tiles(workload, tiles, journal, watched(stop, tiles, progress));
            if (run.stopped) journal.close(true);
        });
    });
    require_whole(world, run, tiles.tiles_total());
    progress.finish();

    note_run(world, device.info(), run, tiles.tiles_total(), record);
    say_balance(speaks, record);

    docking::RankedPoses ranked = rank_and_refine(world,
                                                  {input, prepared, device.info().backend,
                                                   device.search, run, tiles.tiles_total(), journal,
                                                   stop, options.quiet, options.schedule.deadline},
                                                  record);
    record.resumed_devices = journal.resumed_devices();
    world.together([&] { journal.close(false); });
    world.together([&] {
        if (world.is_root())
            finish_and_write(input, prepared, std::move(ranked), options, journal, record);
    });
}

}  // namespace

int DockCommand::run(const mpi::Communicator& world, const std::string& command_line,
                     const StopFlag& stop) {
    world.together([&] { finish_input(); });
    if (!options_.pairs.empty()) return run_dock_pairs(world, input_, options_, command_line, stop);
    const bool speaks = world.is_root() && !options_.quiet;
    io::RunRecord record;
    record.command_line = command_line;
    world.together([&] {
        if (world.is_root()) io::check_output_path(options_.output, options_.force);
    });
    const PreparedDocking prepared = prepare_on_all(world, input_, record);
    const io::RunIdentity identity = agreed_identity(world, "dock", hash_with_rotations(prepared),
                                                     std::ssize(tiles_of(prepared.rotations)));
    for (const std::string& message : prepared.messages) say(speaks, message);

    DockDevice device;
    device.runtime =
        record.time_phase("start device", [&] { return start_runtime(world, options_.device); });
    const auto start_search = [&] {
        const kernels::DeviceInfo& info = device.info();
        record.time_phase("start device", [&] {
            device.search = kernels::kept_if_lost(kernels::make_correlation_search(
                info.backend, prepared.problem,
                plan::memory_budget(info.backend, info.available_bytes, options_.memory_gib)));
        });
    };
    return run_where_started(world, start_search, [&](const mpi::Communicator& ranks) {
        search_and_write(ranks, {input_, prepared, identity, device, options_, stop}, record);
        return 0;
    });
}

}  // namespace tessera::cli
