#include "app/dock_pairs_command.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "core/terminal.hpp"
#include "docking/pairs/pair_ledger.hpp"
#include "docking/pairs/pair_rows.hpp"
#include "docking/pairs/pair_run.hpp"
#include "docking/pairs/pairs_job.hpp"
#include "docking/pairs/pairs_progress.hpp"
#include "engine/able_ranks.hpp"
#include "engine/build_record.hpp"
#include "engine/rank_table.hpp"
#include "engine/run_notes.hpp"
#include "engine/start_device.hpp"
#include "engine/tile_watch.hpp"
#include "io/files/whole_file.hpp"
#include "io/text/progress.hpp"
#include "kokkos_kernels/device/memory_budget.hpp"

namespace tessera::app {

namespace {

using docking::DockPair;
using docking::PairRow;
using docking::PairsJob;
using docking::PairsSoFar;
using docking::RowCounts;

/// Prints a failure of this run, or one of an earlier run.
void say_failed(bool speaks, const DockPair& pair, const std::string& reason) {
    engine::say(speaks, "pair " + pair.name + " fails: " + reason);
}

void say_left_out(int rank, const std::string& host, const std::string& why) {
    engine::say(true,
                fmt::format("warning: rank {} on {} goes on without its device, the others do its "
                            "work ({})",
                            rank, host, why));
}

void announce(bool speaks, const PairsJob& job) {
    engine::say(speaks,
                fmt::format("pairs: {} in '{}', {} done before, {} to do", job.pairs.size(),
                            job.outputs.table, docking::count(job.rows).done, job.to_do.size()));
    engine::say(speaks,
                fmt::format("rotations: {} ({})", job.rotations.size(), job.rotations.description));
    for (std::size_t i = 0; i < job.rows.size(); ++i)
        if (job.rows[i].status == PairRow::Status::failed)
            say_failed(speaks, job.pairs[i], job.rows[i].failure.reason);
}

/// "3 of 5 pairs, 1 failed, refining 1AVX (2 of 31 tiles)"
std::string how_far(const PairsSoFar& now, const RowCounts& before, const PairsJob& job) {
    std::string text = fmt::format("{} of {} pairs", before.done + now.done, job.pairs.size());
    if (const std::int64_t failed = before.failed + now.failed; failed > 0)
        text += fmt::format(", {} failed", failed);
    if (now.refining >= 0)
        text += fmt::format(", refining {} ({} of {} tiles)",
                            job.pairs[job.to_do[static_cast<std::size_t>(now.refining)]].name,
                            now.tiles_refined, now.tiles_to_refine);
    return text;
}

/// On rank 0: reports the work of each rank on stderr and in a file next to the summary.
void note_ranks(const PairsJob& job, const std::vector<RankRecord>& ranks, bool speaks) {
    io::RunRecord record;
    record.ranks = ranks;
    record.ranks.insert(record.ranks.end(), engine::ranks_left_out().begin(),
                        engine::ranks_left_out().end());
    engine::say_balance(speaks, record);
    io::WholeFile file(job.ranks_path());
    file.write(engine::rank_csv(record.ranks));
    file.commit();
}

/// Collective. Docks the pairs that are not done and records the outcomes in the ledger.
void run_job(const mpi::Communicator& world, PairsJob& job, docking::PairLedger& ledger,
             const RunOptions& options, const io::RunRecord& record,
             const kernels::DeviceInfo& device, const StopFlag& stop) {
    const bool speaks = world.is_root() && !options.quiet;
    std::vector<const DockPair*> work;
    work.reserve(job.to_do.size());
    for (const std::size_t i : job.to_do) work.push_back(&job.pairs[i]);
    PairsSoFar so_far;
    const RowCounts before = docking::count(job.rows);
    io::ProgressOptions progress_options;
    progress_options.quiet = !speaks;
    progress_options.remark = [&] { return how_far(so_far, before, job); };
    io::Progress progress("docking", job.tiles(), progress_options);
    const auto update = [&](const PairsSoFar& now) {
        so_far = now;
        progress.update(now.tiles);
    };
    const auto enter = [&](const docking::PairOutcome& outcome) {
        const std::size_t row = job.to_do[static_cast<std::size_t>(outcome.pair)];
        ledger.enter(row, outcome);
        if (outcome.failure) say_failed(speaks, job.pairs[row], outcome.failure->reason);
    };
    docking::PairRun run(
        world,
        {work, job.rotations, job.outputs, record, device,
         kernels::memory_budget(device.backend, device.available_bytes, options.memory_gib),
         stop.flag(), update, enter, say_left_out},
        engine::rank_record(device));
    run.run();
    if (world.is_root()) job.no_device = run.no_device_left();
    docking::gather_outcomes(world, run.late_outcomes(), enter);
    const RowCounts counts = docking::count(job.rows);
    so_far = {job.tiles(), counts.done - before.done, counts.failed - before.failed};
    if (counts.unfinished == 0) progress.finish();
    const auto shares = world.gather(std::vector<RankRecord>{run.share()});
    world.together([&] {
        if (world.is_root() && !work.empty()) note_ranks(job, shares, speaks);
    });
}

Error no_device_left(const std::string& why, std::int64_t done, std::int64_t pairs) {
    return {
        "no device is left for the pairs that are not done",
        fmt::format("{} of {} pairs are done; the device of rank 0: {}", done, pairs, why),
        "start the same command again, which keeps finished pairs; if it fails again, do not use "
        "these devices",
        ExitCode::resources};
}

/// On rank 0: compares the pairs with the results that the run is to make again, where they exist.
void require_same_files(const ExpectedInput& expected, const PairsJob& job) {
    for (const DockPair& pair : job.pairs) {
        const auto former = std::filesystem::path(expected.file) / (pair.name + ".h5");
        if (!std::filesystem::exists(former)) continue;
        ExpectedInput of_pair = result_input(former.string());
        of_pair.check(docking::input_hash(pair.input));
    }
}

/// On rank 0: writes the summary and removes the lock. Throws Error if not all pairs are done.
void close_job(PairsJob& job, docking::PairLedger& ledger, bool quiet) {
    ledger.finish();
    job.manifest->close();
    job.lock->remove();
    const RowCounts counts = docking::count(job.rows);
    if (!quiet) {
        print_text(stdout, fmt::format("\n{} pairs done, {} failed, {} unfinished\n", counts.done,
                                       counts.failed, counts.unfinished));
        print_line(stdout, "written: " + job.summary_path);
    }
    if (job.no_device && counts.unfinished > 0)
        throw no_device_left(*job.no_device, counts.done, std::ssize(job.rows));
    docking::require_all_done(job.pairs, job.rows, job.summary_path);
}

}  // namespace

int run_dock_pairs(const mpi::Communicator& world, const docking::DockInput& input,
                   const RunOptions& options, const ExpectedInput& expected, io::RunRecord record,
                   const StopFlag& stop) {
    const bool speaks = world.is_root() && !options.quiet;
    PairsJob job =
        docking::read_pairs_job(world, input, {options.pairs, options.output, options.force}, stop);
    world.together([&] {
        if (world.is_root() && !expected.file.empty()) require_same_files(expected, job);
    });
    announce(speaks, job);
    const TileWatch watch(options.schedule.deadline, engine::place_of(world));
    const auto device = engine::start_device(world, options.device);
    record.build = engine::build_record();
    engine::announce_devices(world, device->info(), speaks, record);
    docking::PairLedger ledger({job.summary_path, job.outputs.summary, job.manifest.get()},
                               job.pairs, job.rows);
    world.together([&] {
        if (world.is_root() && !job.to_do.empty()) ledger.begin();
    });
    run_job(world, job, ledger, options, record, device->info(), stop);
    world.together([&] {
        if (world.is_root()) close_job(job, ledger, options.quiet);
    });
    return 0;
}

}  // namespace tessera::app
