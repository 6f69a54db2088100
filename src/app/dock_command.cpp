#include "app/dock_command.hpp"

#include <utility>

#include "app/config_file.hpp"
#include "app/dock_pairs_command.hpp"
#include "app/one_docking.hpp"
#include "docking/result/dock_result.hpp"
#include "docking/result/finish_result.hpp"
#include "docking/result/report.hpp"
#include "docking/run/search_run.hpp"
#include "docking/setup/prepare.hpp"
#include "docking/setup/unused_options.hpp"
#include "engine/agreement.hpp"
#include "engine/finish_run.hpp"
#include "engine/run_notes.hpp"
#include "engine/start_device.hpp"
#include "io/hdf5/output_path.hpp"
#include "io/hdf5/result_file.hpp"
#include "io/hdf5/run_record.hpp"

namespace tessera::app {

namespace {

using docking::DockInput;
using docking::DockResult;
using docking::PreparedDocking;
using kernels::PoseRecord;

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
    PreparedDocking prepared = docking::prepare_on_all(world, input_, record);
    for (const std::string& line : docking::unused_options(input_))
        prepared.messages.push_back("warning: " + prepared.warnings.emplace_back(line));
    world.together([&] { expected_.check(prepared.input_sha256); });
    for (const std::string& message : prepared.messages) engine::say(speaks, message);
    const auto device = record.time_phase(
        "start device", [&] { return engine::start_device(world, options_.device); });
    dock_one(
        world, {input_, prepared, device->info(), options_, options_.output, stop}, record,
        [&](docking::SortedPoses sorted, DiskJournal<PoseRecord>& journal, io::RunRecord& run) {
            finish_and_write(input_, prepared, std::move(sorted), options_, journal, run);
        });
    return 0;
}

}  // namespace tessera::app
