#include "cli/dock_pairs_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include <nlohmann/json.hpp>

#include "cli/build_record.hpp"
#include "cli/dock_common.hpp"
#include "cli/dock_pairs_run.hpp"
#include "cli/run_common.hpp"
#include "core/stop_flag.hpp"
#include "io/partial_folder.hpp"
#include "io/progress.hpp"
#include "io/whole_file.hpp"
#include "plan/device_description.hpp"

namespace tessera::cli {

namespace {

using docking::DockPair;
using docking::FormerOutput;

/// A row of the table and how it stands.
struct RowState {
    enum class Status : std::uint8_t { unfinished, done, failed };
    Status status = Status::unfinished;
    std::string summary;  ///< its row there
    std::string reason;   ///< failed
    ExitCode code = ExitCode::usage;
};

struct Counts {
    std::int64_t done = 0, failed = 0, unfinished = 0;
};

Counts count(const std::vector<RowState>& rows) {
    const auto with = [&](RowState::Status status) {
        return std::count_if(rows.begin(), rows.end(),
                             [&](const RowState& row) { return row.status == status; });
    };
    return {with(RowState::Status::done), with(RowState::Status::failed),
            with(RowState::Status::unfinished)};
}

/// On rank 0: which pairs are done, and which cannot be.
std::vector<RowState> look_at_outputs(const docking::PairOutputs& outputs,
                                      const std::vector<DockPair>& pairs) {
    std::vector<RowState> rows;
    for (const DockPair& pair : pairs) {
        RowState row;
        try {
            const FormerOutput former = docking::look_at_output(outputs, pair);
            row.summary = former.row;
            row.reason = former.problem;
            if (former.state == FormerOutput::State::finished) row.status = RowState::Status::done;
            if (former.state == FormerOutput::State::unusable)
                row.status = RowState::Status::failed;
        } catch (const Error& error) {
            row = {RowState::Status::failed, "", error.what(), error.code()};
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

/// Collective: the pairs that are left to do, the same on all ranks.
std::vector<std::size_t> pairs_to_do(const mpi::Communicator& world,
                                     const std::vector<RowState>& rows) {
    std::vector<std::int64_t> left;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].status == RowState::Status::unfinished)
            left.push_back(static_cast<std::int64_t>(i));
    world.broadcast(left);
    return {left.begin(), left.end()};
}

/// Collective: brings all ranks' outcomes into the rows on rank 0.
void gather_outcomes(const mpi::Communicator& world, const std::vector<PairOutcome>& outcomes,
                     const std::vector<std::size_t>& to_do, std::vector<RowState>& rows) {
    nlohmann::json mine = nlohmann::json::array();
    for (const PairOutcome& o : outcomes)
        mine.push_back({o.pair, o.failed, o.reason, static_cast<int>(o.code), o.row});
    const std::string text = mine.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    world.gather_bytes(std::as_bytes(std::span(text)), [&](int, std::span<const std::byte> bytes) {
        const auto* begin = reinterpret_cast<const char*>(bytes.data());
        for (const auto& item : nlohmann::json::parse(begin, begin + bytes.size())) {
            RowState& row = rows[to_do[item[0].get<std::size_t>()]];
            row.status = item[1].get<bool>() ? RowState::Status::failed : RowState::Status::done;
            row.reason = item[2].get<std::string>();
            row.code = static_cast<ExitCode>(item[3].get<int>());
            row.summary = item[4].get<std::string>();
        }
    });
}

void write_summary(const std::string& path, const docking::SummaryFormat& format,
                   const std::vector<DockPair>& pairs, const std::vector<RowState>& rows) {
    io::WholeFile file(path);
    file.write(format.header() + "\n");
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const bool failed = rows[i].status == RowState::Status::failed;
        file.write(
            (rows[i].status == RowState::Status::done
                 ? rows[i].summary
                 : format.row(pairs[i].name, failed ? "failed" : "unfinished", rows[i].reason)) +
            "\n");
    }
    file.commit();
}

/// Throws where the run is not whole.
void require_all_done(const std::vector<DockPair>& pairs, const std::vector<RowState>& rows,
                      const std::string& summary) {
    const Counts counts = count(rows);
    if (counts.unfinished > 0)
        throw Error(
            "stopped before the work was complete",
            fmt::format("a signal asked for it; {} of {} pairs are done", counts.done, rows.size()),
            "start the same command again", ExitCode::requeue);
    if (counts.failed == 0) return;
    const auto first = std::find_if(rows.begin(), rows.end(), [](const RowState& row) {
        return row.status == RowState::Status::failed;
    });
    throw Error(
        fmt::format("{} of {} pairs failed", counts.failed, rows.size()),
        fmt::format("the first is {}", pairs[static_cast<std::size_t>(first - rows.begin())].name),
        "see column reason of '" + summary + "'", first->code);
}

RankRecord this_rank(const kernels::DeviceInfo& device) {
    char host[64] = "";
    gethostname(host, sizeof(host) - 1);
    RankRecord mine;
    mine.host = std::string(host);
    mine.device = device.name;
    mine.backend = kernels::name_of(device.backend);
    return mine;
}

}  // namespace

int run_dock_pairs(const mpi::Communicator& world, const docking::DockInput& input,
                   const RunOptions& options, const std::string& command_line) {
    const bool speaks = world.is_root() && !options.quiet;
    docking::PairOutputs outputs{
        options.output, options.pairs, program_version(), options.force, {input.sets, false}};
    const std::string summary = (std::filesystem::path(options.output) / "pairs.csv").string();
    std::vector<DockPair> pairs;
    std::vector<RowState> rows;
    docking::RotationSet rotations;
    std::optional<io::PartialFolder> lock;  // one run at a time
    world.together([&] {
        pairs = docking::read_pair_list(options.pairs, input);
        outputs.summary.references = std::any_of(pairs.begin(), pairs.end(), [](const DockPair& p) {
            return !p.input.reference_path.empty();
        });
        if (!world.is_root()) return;
        io::make_folder(options.output);
        lock.emplace(summary, io::RunIdentity{"dock --pairs", "", "", 0}, false);
        rotations = docking::choose_rotations(input);
        rows = look_at_outputs(outputs, pairs);
    });
    broadcast(world, rotations);
    const std::vector<std::size_t> to_do = pairs_to_do(world, rows);
    const Counts before = count(rows);
    say(speaks, fmt::format("pairs: {} in '{}', {} done before, {} to do", pairs.size(),
                            options.pairs, before.done, to_do.size()));
    say(speaks, fmt::format("rotations: {} ({})", rotations.size(), rotations.description));
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].status == RowState::Status::failed)
            say(speaks, "pair " + pairs[i].name + " fails: " + rows[i].reason);

    std::unique_ptr<kernels::DeviceRuntime> device;
    world.together([&] {
        const mpi::Communicator node = world.split_shared();
        device = std::make_unique<kernels::DeviceRuntime>(
            kernels::DeviceRequest{options.device, node.rank(), node.size(), 0});
    });
    say(speaks, fmt::format("device: {} ({}), {} rank{}", device->info().name,
                            kernels::name_of(device->info().backend), world.size(),
                            world.size() > 1 ? "s" : ""));

    std::vector<const DockPair*> work;
    for (const std::size_t i : to_do) work.push_back(&pairs[i]);
    io::RunRecord record;
    record.command_line = command_line;
    record.build = build_record();
    const StopFlag stop;
    std::int64_t settled = 0;
    io::ProgressOptions progress_options;
    progress_options.quiet = !speaks;
    progress_options.remark = [&] {
        return fmt::format("{} of {} pairs", before.done + before.failed + settled, pairs.size());
    };
    const std::int64_t tiles_of_pair =
        static_cast<std::int64_t>(cut_into_tiles(static_cast<std::int64_t>(rotations.bases.size()),
                                                 docking::bases_per_tile(rotations))
                                      .size());
    io::Progress progress("docking", tiles_of_pair * static_cast<std::int64_t>(work.size()),
                          progress_options);
    PairRun run(world,
                {work, rotations, outputs, record, device->info(),
                 plan::memory_budget(device->info().backend, device->info().available_bytes,
                                     options.memory_gib),
                 stop.flag(),
                 [&](std::int64_t tiles, std::int64_t done) {
                     settled = done;
                     progress.update(tiles);
                 },
                 [&](const DockPair& pair, const std::string& reason) {
                     say(speaks, "pair " + pair.name + " fails: " + reason);
                 }},
                this_rank(device->info()));
    run.run();
    gather_outcomes(world, run.outcomes(), to_do, rows);
    world.together([&] {
        if (!world.is_root()) return;
        const Counts counts = count(rows);
        settled = counts.done + counts.failed - before.done - before.failed;
        if (counts.unfinished == 0) progress.finish();
        write_summary(summary, outputs.summary, pairs, rows);
        lock->remove();
        if (!options.quiet)
            std::printf("\n%lld pairs done, %lld failed, %lld unfinished\nwritten: %s\n",
                        static_cast<long long>(counts.done), static_cast<long long>(counts.failed),
                        static_cast<long long>(counts.unfinished), summary.c_str());
        require_all_done(pairs, rows, summary);
    });
    return 0;
}

}  // namespace tessera::cli
