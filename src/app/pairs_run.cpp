#include "app/pairs_run.hpp"

#include <fmt/format.h>

#include "core/terminal.hpp"
#include "docking/pairs/pair_rows.hpp"
#include "docking/pairs/pair_run.hpp"
#include "engine/able_ranks.hpp"
#include "engine/rank_table.hpp"
#include "engine/run_notes.hpp"
#include "io/files/whole_file.hpp"
#include "io/text/agreeing.hpp"
#include "io/text/counted.hpp"
#include "io/text/progress.hpp"
#include "kokkos_kernels/device/memory_budget.hpp"

namespace tessera::app {

using docking::PairRow;
using docking::PairsJob;
using docking::PairsSoFar;
using docking::RowCounts;

namespace {

void say_left_out(int rank, const std::string& host, const std::string& why) {
    engine::say(true,
                fmt::format("warning: rank {} on {} goes on without its device, the others do its "
                            "work ({})",
                            rank, host, why));
}

/// "3 of 5 pairs, 1 failed, refining 1AVX (2 of 31 tiles)"
std::string how_far(const PairsSoFar& now, const RowCounts& before, const PairsJob& job) {
    std::string text =
        fmt::format("{} of {}", before.done + now.done, io::counted(job.pairs->size(), "pair"));
    if (const std::int64_t failed = before.failed + now.failed; failed > 0)
        text += fmt::format(", {} failed", failed);
    if (now.refining >= 0)
        text += fmt::format(", refining {} ({} of {})",
                            job.pairs->name(job.to_do[static_cast<std::size_t>(now.refining)]),
                            now.tiles_refined, io::counted(now.tiles_to_refine, "tile"));
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

Error no_device_left(const std::string& why, std::int64_t done, std::int64_t pairs) {
    return {
        "no device is left for the pairs that are not done",
        fmt::format("{} of {} {} done; the device of rank 0: {}", done, io::counted(pairs, "pair"),
                    io::agreeing(done, "is", "are"), why),
        "start the same command again, which keeps finished pairs; if it fails again, do not use "
        "these devices",
        ExitCode::resources};
}

}  // namespace

void say_failed(bool speaks, const std::string& pair, const std::string& reason) {
    engine::say(speaks, "pair " + pair + " fails: " + reason);
}

void announce_pairs(bool speaks, const PairsJob& job, const std::string& list) {
    engine::say(speaks, fmt::format("pairs: {} in '{}', {} done before, {} to do",
                                    job.pairs->size(), list, docking::count(job.rows).done,
                                    job.to_do.size() + job.own_searches.size()));
    if (!job.rotations.bases.empty())
        engine::say(speaks, fmt::format("rotations: {} ({})", job.rotations.size(),
                                        job.rotations.description));
    for (std::size_t i = 0; i < job.rows.size(); ++i)
        if (job.rows[i].status == PairRow::Status::failed)
            say_failed(speaks, job.pairs->name(i), job.rows[i].failure.reason);
}

void dock_all(const mpi::Communicator& world, PairsJob& job, docking::PairLedger& ledger,
              const RunOptions& options, const io::RunRecord& record,
              const kernels::DeviceInfo& device, const StopFlag& stop) {
    const bool speaks = world.is_root() && !options.quiet;
    const docking::SomePairs work(*job.pairs, job.to_do);
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
        if (outcome.failure) say_failed(speaks, job.pairs->name(row), outcome.failure->reason);
    };
    docking::PairRun run(
        world,
        {work, job.rotations, job.outputs, job.write, record, device,
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
        if (world.is_root() && !job.to_do.empty()) note_ranks(job, shares, speaks);
    });
}

void close_job(PairsJob& job, docking::PairLedger& ledger, const docking::SummaryLines& lines,
               bool quiet) {
    ledger.finish(lines);
    job.manifest->close();
    job.lock->remove();
    const RowCounts counts = docking::count(job.rows);
    if (!quiet) {
        print_text(stdout,
                   fmt::format("\n{} done, {} failed, {} unfinished\n",
                               io::counted(counts.done, "pair"), counts.failed, counts.unfinished));
        print_line(stdout, "written: " + job.summary_path);
    }
}

void require_all_done(const PairsJob& job) {
    const RowCounts counts = docking::count(job.rows);
    if (job.no_device && counts.unfinished > 0)
        throw no_device_left(*job.no_device, counts.done, std::ssize(job.rows));
    docking::require_all_done(*job.pairs, job.rows, job.summary_path);
}

}  // namespace tessera::app
