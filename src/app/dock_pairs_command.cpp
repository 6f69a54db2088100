#include "app/dock_pairs_command.hpp"

#include <filesystem>
#include <memory>

#include "app/own_searches.hpp"
#include "app/pairs_run.hpp"
#include "docking/pairs/pair_ledger.hpp"
#include "docking/pairs/pairs_job.hpp"
#include "docking/setup/unused_options.hpp"
#include "engine/build_record.hpp"
#include "engine/run_notes.hpp"
#include "engine/start_device.hpp"
#include "engine/tile_watch.hpp"

namespace tessera::app {

namespace {

using docking::DockPair;
using docking::PairsJob;

/// On rank 0: compares the pairs with the results that the run is to make again, where they exist.
void require_same_files(const ExpectedInput& expected, const PairsJob& job) {
    for (std::size_t i = 0; i < job.pairs->size(); ++i) {
        const DockPair pair = job.pairs->pair(i);
        const auto former = std::filesystem::path(expected.file) / (pair.name + ".h5");
        if (!std::filesystem::exists(former)) continue;
        ExpectedInput of_pair = result_input(former.string());
        of_pair.check(docking::input_hash(pair.input));
    }
}

void warn_of_unused_options(const PairsJob& job) {
    const auto lines = docking::unused_by_all(
        job.pairs->size(), [&](std::size_t i) { return job.pairs->pair(i).input; });
    for (const std::string& line : lines) engine::say(true, "warning: " + line);
}

}  // namespace

int run_dock_pairs(const mpi::Communicator& world, const docking::DockInput& input,
                   const RunOptions& options, const ExpectedInput& expected, io::RunRecord record,
                   const StopFlag& stop, const kernels::DeviceRuntime* device) {
    const bool speaks = world.is_root() && !options.quiet;
    PairsJob job =
        docking::read_pairs_job(world, input, {options.pairs, options.output, options.force}, stop);
    world.together([&] {
        if (world.is_root() && !expected.file.empty()) require_same_files(expected, job);
    });
    announce_pairs(speaks, job, options.pairs);
    if (speaks) warn_of_unused_options(job);
    const TileWatch watch(options.schedule.deadline, engine::place_of(world));
    std::unique_ptr<kernels::DeviceRuntime> started;
    if (!device) device = (started = engine::start_device(world, options.device)).get();
    record.build = engine::build_record();
    engine::announce_devices(world, device->info(), speaks, record);
    docking::PairLedger ledger({job.summary_path, job.lines, job.manifest.get()}, *job.pairs,
                               job.rows);
    world.together([&] {
        if (world.is_root() && job.to_do.size() + job.own_searches.size() > 0) ledger.begin();
    });
    // A table of rows that are docked alone has no rotations of the run.
    if (!job.to_do.empty() || (job.own_searches.empty() && !job.rotations.bases.empty()))
        dock_all(world, job, ledger, options, record, device->info(), stop);
    dock_own_searches(world, job, ledger, options, record, device->info(), stop);
    world.together([&] {
        if (!world.is_root()) return;
        close_job(job, ledger, job.lines, options.quiet);
        require_all_done(job);
    });
    return 0;
}

}  // namespace tessera::app
