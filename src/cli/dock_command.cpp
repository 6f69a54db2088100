#include "cli/dock_command.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <optional>

#include "cli/build_record.hpp"
#include "cli/dock_common.hpp"
#include "cli/dock_pairs_command.hpp"
#include "cli/guarded_workload.hpp"
#include "cli/resume.hpp"
#include "cli/run_common.hpp"
#include "core/stop_flag.hpp"
#include "docking/dock_result.hpp"
#include "docking/dock_workload.hpp"
#include "docking/finish_result.hpp"
#include "docking/prepare.hpp"
#include "docking/report.hpp"
#include "docking/second_stage.hpp"
#include "io/progress.hpp"
#include "io/result_file.hpp"
#include "io/run_record.hpp"
#include "kokkos_kernels/device.hpp"
#include "mpi/gather_by_tile.hpp"
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

}  // namespace

int DockCommand::run(const mpi::Communicator& world, const std::string& command_line) {
    if (!options_.pairs.empty()) {
        world.together([&] { finish_input(); });
        return run_dock_pairs(world, input_, options_, command_line);
    }
    const bool speaks = world.is_root() && !options_.quiet;
    io::RunRecord record;
    record.command_line = command_line;
    PreparedDocking prepared;
    docking::RotationSet rotations;
    world.together([&] {
        finish_input();
        if (world.is_root()) io::check_output_path(options_.output, options_.force);
        if (world.is_root()) rotations = docking::choose_rotations(input_);
    });
    broadcast(world, rotations);
    world.together([&] {
        prepared = record.time_phase(
            "prepare", [&] { return docking::prepare(input_, std::move(rotations)); });
    });
    for (const std::string& message : prepared.messages) say(speaks, message);

    mpi::NodeTileIterator tiles(
        world,
        cut_into_tiles(static_cast<std::int64_t>(prepared.rotations.bases.size()),
                       docking::bases_per_tile(prepared.rotations)),
        options_.schedule);
    std::unique_ptr<kernels::DeviceRuntime> device;
    std::shared_ptr<kernels::CorrelationSearch> search;
    world.together([&] {
        record.time_phase("start device", [&] {
            device = std::make_unique<kernels::DeviceRuntime>(kernels::DeviceRequest{
                options_.device, tiles.node().rank(), tiles.node().size(), 0});
            search = kernels::make_correlation_search(
                device->info().backend, prepared.problem,
                plan::memory_budget(device->info().backend, device->info().available_bytes,
                                    options_.memory_gib));
        });
    });
    say(speaks, fmt::format("device: {} ({}), {} rank{}", device->info().name,
                            kernels::name_of(device->info().backend), world.size(),
                            world.size() > 1 ? "s" : ""));
    say(speaks, memory_line(search->memory(), static_cast<int>(prepared.problem.group.size())));

    docking::DockWorkload on_device(*search, prepared.rotations);
    GuardedWorkload workload(on_device, search);
    DiskJournal<PoseRecord> journal(
        world, journal_request(options_.output, "dock", hash_with_rotations(prepared),
                               tiles.tiles_total(), device->info(), options_.force));
    for (const std::string& message : journal.messages()) say(speaks, message);
    const StopFlag stop;
    io::Progress progress("docking", tiles.tiles_total(),
                          progress_over(world, speaks, journal.tiles_resumed()));
    TileRun<PoseRecord> run;
    world.together([&] {
        record.time_phase("search", [&] {
            run = run_tiles(workload, tiles, journal, watched(stop, tiles, progress));
            journal.close(run.stopped);
        });
    });
    require_whole(world, run, tiles.tiles_total());
    progress.finish();

    const auto partials = record.time_phase(
        "gather", [&] { return mpi::gather_by_tile(world, run.partials, tiles.tiles_total()); });
    note_run(world, device->info(), run, tiles.tiles_total(), record);
    say_balance(speaks, record);
    record.resumed_devices = journal.resumed_devices();

    std::vector<docking::PoseList> lists;
    world.together([&] {
        if (!world.is_root()) return;
        require_device(run);
        lists = record.time_phase("rank", [&] {
            return docking::rank_poses(partials, input_.sets, input_.ranked_poses(),
                                       prepared.rotations, prepared.frame, *search);
        });
    });
    // Without the ranks whose device is lost; the root's is not.
    const mpi::Communicator able = world.split(run.device_lost ? 1 : 0, world.rank());
    std::optional<docking::Consensus> consensus;
    world.together([&] {
        if (run.device_lost) return;
        record.time_phase("refine", [&] {
            consensus = docking::second_stage(able, device->info().backend, input_, prepared, lists,
                                              {&stop.flag(), {}});
        });
    });

    world.together([&] {
        if (!world.is_root()) return;
        DockResult result = record.time_phase("cluster and evaluate", [&] {
            return docking::finish_result(input_, prepared, std::move(lists));
        });
        result.consensus = std::move(consensus);
        record.input = docking::to_json(input_);
        record.input_sha256 = prepared.input_sha256;
        record.build = build_record();
        io::ResultFile file(options_.output, "dock", program_version(), options_.force,
                            {journal.file("result.h5")});
        docking::write_dock_result(file.root(), result);
        io::write_run_record(file.root(), record);
        file.commit();
        journal.remove();
        if (!options_.quiet) {
            std::fputs(
                docking::report_table(result, static_cast<std::size_t>(options_.report)).c_str(),
                stdout);
            std::printf("\nwritten: %s\n", options_.output.c_str());
        }
    });
    return 0;
}

}  // namespace tessera::cli
