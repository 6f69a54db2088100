#include "app/dock_command.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <memory>

#include "app/config_file.hpp"
#include "app/dock_pairs_command.hpp"
#include "docking/result/dock_result.hpp"
#include "docking/result/finish_result.hpp"
#include "docking/result/report.hpp"
#include "docking/run/ensemble_run.hpp"
#include "docking/run/search_run.hpp"
#include "docking/search/dock_workload.hpp"
#include "docking/setup/prepare.hpp"
#include "engine/able_ranks.hpp"
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
#include "kokkos_kernels/device/memory_budget.hpp"
#include "mpi/scheduling/node_tile_iterator.hpp"

namespace tessera::app {

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
        line += fmt::format("; receptor spectra recomputed for {} of {} orbit members at a time",
                            memory.members_resident, members);
    return line;
}

/// The device of this rank and the search on it.
struct DockDevice {
    std::unique_ptr<kernels::DeviceRuntime> runtime;
    std::shared_ptr<kernels::CorrelationSearch> search;

    const kernels::DeviceInfo& info() const { return runtime->info(); }
};

/// On rank 0: completes the result and writes the file.
void finish_and_write(const DockInput& input, const PreparedDocking& prepared,
                      docking::SortedPoses sorted, const RunOptions& options,
                      DiskJournal<PoseRecord>& journal, io::RunRecord& record) {
    DockResult result = record.time_phase("cluster and evaluate", [&] {
        return docking::finish_result(input, prepared, std::move(sorted));
    });
    record.input = docking::to_json(input);
    record.input_sha256 = prepared.input_sha256;
    record.warnings = prepared.warnings;
    io::ResultFile file(options.output, "dock", engine::program_version(), options.force,
                        {journal.file("result.h5")});
    engine::finish_run(
        file, record, options.quiet, [&] { docking::write_dock_result(file.root(), result); },
        [&] { journal.remove(); },
        [&] { return docking::report_table(result, static_cast<std::size_t>(options.report)); });
}

/// The data of a docking that every rank has before the first tile.
struct DockJob {
    const DockInput& input;
    const PreparedDocking& prepared;
    const io::RunIdentity& identity;
    DockDevice& device;
    const RunOptions& options;
    const StopFlag& stop;
};

/// Collective. The poses of the pair of partners, or of all pairs of their conformers.
docking::SortedPoses find_poses(const mpi::Communicator& world, const DockJob& job,
                                DiskJournal<PoseRecord>& journal, io::RunRecord& record) {
    const auto& [input, prepared, identity, device, options, stop] = job;
    if (prepared.ensemble.combinations() > 1)
        return docking::dock_ensemble(world,
                                      {input, prepared, device.info(), device.search, stop,
                                       options.schedule, options.memory_gib, options.quiet},
                                      journal, record);
    mpi::NodeTileIterator tiles(world, docking::tiles_of(prepared.rotations), options.schedule);
    return docking::search_and_refine(world,
                                      {input, prepared, device.info(), device.search, stop,
                                       options.schedule.deadline, options.quiet},
                                      tiles, journal, record);
}

/// Collective over the ranks that have a search.
void search_and_write(const mpi::Communicator& world, const DockJob& job, io::RunRecord& record) {
    const auto& [input, prepared, identity, device, options, stop] = job;
    const bool speaks = world.is_root() && !options.quiet;
    engine::announce_devices(world, device.info(), speaks, record);
    engine::say(speaks, memory_line(device.search->memory(),
                                    static_cast<int>(prepared.problem.group.size())));
    DiskJournal<PoseRecord> journal(
        world,
        engine::journal_request(options.output, identity, device.info(), options.force, &stop));
    for (const std::string& message : journal.messages()) engine::say(speaks, message);
    docking::SortedPoses sorted = find_poses(world, job, journal, record);
    world.together([&] {
        if (world.is_root())
            finish_and_write(input, prepared, std::move(sorted), options, journal, record);
    });
}

}  // namespace

int DockCommand::run_pairs(const mpi::Communicator& world, const std::string& command_line,
                           const StopFlag& stop, const kernels::DeviceRuntime& device) {
    world.together([&] { finish_input(); });
    io::RunRecord record;
    record.command_line = command_line;
    record.config = config_text(*command_);
    return run_dock_pairs(world, input_, options_, expected_, std::move(record), stop, &device);
}

int DockCommand::run(const mpi::Communicator& world, const std::string& command_line,
                     const StopFlag& stop) {
    world.together([&] { finish_input(); });
    io::RunRecord record;
    record.command_line = command_line;
    record.config = config_text(*command_);
    if (!options_.pairs.empty())
        return run_dock_pairs(world, input_, options_, expected_, std::move(record), stop);
    const bool speaks = world.is_root() && !options_.quiet;
    world.together([&] {
        if (world.is_root()) io::check_output_path(options_.output, options_.force);
    });
    const PreparedDocking prepared = docking::prepare_on_all(world, input_, record);
    world.together([&] { expected_.check(prepared.input_sha256); });
    const auto pairs = static_cast<std::int64_t>(prepared.ensemble.combinations());
    const io::RunIdentity identity =
        engine::agreed_identity(world, "dock", docking::hash_with_rotations(prepared),
                                pairs * std::ssize(docking::tiles_of(prepared.rotations)));
    for (const std::string& message : prepared.messages) engine::say(speaks, message);

    DockDevice device;
    device.runtime = record.time_phase(
        "start device", [&] { return engine::start_device(world, options_.device); });
    const auto start_search = [&] {
        const kernels::DeviceInfo& info = device.info();
        record.time_phase("start device", [&] {
            device.search = kernels::kept_if_lost(kernels::make_correlation_search(
                info.backend, prepared.problem,
                kernels::memory_budget(info.backend, info.available_bytes, options_.memory_gib)));
        });
    };
    return engine::run_where_started(world, start_search, [&](const mpi::Communicator& ranks) {
        search_and_write(ranks, {input_, prepared, identity, device, options_, stop}, record);
        return 0;
    });
}

}  // namespace tessera::app
