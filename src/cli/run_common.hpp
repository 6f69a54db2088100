// What every workload's command does around its tiles.
#pragma once

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/able_ranks.hpp"
#include "cli/option_checks.hpp"
#include "cli/rank_table.hpp"
#include "cli/resume.hpp"
#include "core/fixed_string.hpp"
#include "core/host_name.hpp"
#include "core/stop_flag.hpp"
#include "core/terminal.hpp"
#include "core/tile_deadline.hpp"
#include "io/progress.hpp"
#include "io/run_record.hpp"
#include "kokkos_kernels/device.hpp"
#include "kokkos_kernels/device_binding.hpp"
#include "kokkos_kernels/device_guard.hpp"
#include "mpi/communicator.hpp"
#include "mpi/mpi_error.hpp"
#include "mpi/node_tile_iterator.hpp"
#include "run_tiles.hpp"

namespace tessera::cli {

/// A line on stderr, from the one rank that speaks.
inline void say(bool speaks, const std::string& line) {
    if (speaks) print_line(stderr, line);
}

/// "device: NVIDIA H200 (cuda), 8 ranks", "device: Intel Xeon (openmp), 2 ranks of 8 threads": how many
/// threads a rank got is what goes wrong first on hosts.
inline std::string device_line(const kernels::DeviceInfo& device, int ranks) {
    const auto number = [](int count, const char* what) {
        return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
    };
    std::string line = fmt::format("device: {} ({}), {}", device.name,
                                   kernels::name_of(device.backend), number(ranks, "rank"));
    if (device.backend != kernels::Backend::cuda) line += " of " + number(device.threads, "thread");
    return line;
}

/// Collective over the ranks of a machine. They may share its GPUs, or each see another one as its first
/// (Slurm's --gpus-per-task).
inline void count_gpu_sharers(const mpi::Communicator& node) {
    const FixedString<48> mine = kernels::gpu_name(node.rank());
    kernels::set_gpu_sharers(kernels::sharers_of(mine, node.allgather(mine)));
}

/// Collective. Takes this rank's device: by its number among the ranks of the machine.
inline std::unique_ptr<kernels::DeviceRuntime> start_runtime(const mpi::Communicator& world,
                                                             const std::string& device) {
    const mpi::Communicator node = world.split_shared();
    count_gpu_sharers(node);
    std::unique_ptr<kernels::DeviceRuntime> runtime;
    world.together([&] {
        runtime = std::make_unique<kernels::DeviceRuntime>(
            kernels::DeviceRequest{device, node.rank(), node.size(), 0});
    });
    return runtime;
}

/// Collective. Tells what the ranks compute on, and notes it on every rank, since any of them may write a
/// result. Devices of several kinds are allowed, but which of them computes a tile decides its last bits.
inline void announce_devices(const mpi::Communicator& world, const kernels::DeviceInfo& device,
                             bool speaks, io::RunRecord& record) {
    say(speaks, device_line(device, world.size()));
    std::map<std::string, int> ranks_of;
    for (const auto& kind : world.gather(std::vector{FixedString<192>(device_kind(device))}))
        ++ranks_of[kind.str()];
    record.device_kinds = kinds_text(ranks_of);
    world.broadcast(record.device_kinds);
    if (ranks_of.size() > 1)
        say(speaks, fmt::format("note: {} kinds of devices ({}); which of them computes a tile "
                                "decides its last bits",
                                ranks_of.size(), record.device_kinds));
}

/// When a tile is stuck.
inline void declare_deadline_options(CLI::App& command, TileDeadline& deadline) {
    deadline.factor = 20;
    command
        .add_option(
            "--tile-deadline", deadline.factor,
            "a tile is late, and done by another rank too, after so many times what the rank's "
            "tiles usually take; 0: never")
        ->check(number_from_0(1e6))
        ->group("Schedule (docs/scheduling.md)");
    command
        .add_option("--tile-deadline-least", deadline.least,
                    "seconds before which no tile is late; a rank's first tiles: 12 times so many")
        ->check(number_above_0(1e6))
        ->group("Schedule (docs/scheduling.md)");
    command
        .add_option(
            "--stuck-after", deadline.stuck_after,
            "seconds after which a run that waits for late tiles alone ends, with exit code 75")
        ->check(number_above_0(1e6))
        ->group("Schedule (docs/scheduling.md)");
}

/// Options that let one machine play a cluster; no result depends on them.
inline void declare_schedule_options(CLI::App& command, mpi::NodeTileOptions& schedule) {
    declare_deadline_options(command, schedule.deadline);
    command
        .add_option("--ranks-per-node", schedule.ranks_per_fake_node,
                    "hand tiles out as if so many ranks were a node; 0: as the machines are")
        ->check(whole_number<int>())
        ->group("Schedule (docs/scheduling.md)");
    command
        .add_option("--shuffle-tiles", schedule.shuffle_seed,
                    "hand tiles out in the random order of this seed")
        ->check(whole_number<std::uint64_t>())
        ->group("Schedule (docs/scheduling.md)");
}

/// `resumed`: tiles that an earlier run has done.
inline io::ProgressOptions progress_over(const mpi::Communicator& world, bool speaks,
                                         std::int64_t resumed = 0) {
    io::ProgressOptions options;
    options.already_done = resumed;
    options.quiet = !speaks;
    options.devices = world.size();
    return options;
}

/// Stops at a signal; `progress` goes on after each tile and while this rank waits. All three must
/// outlive the loop.
inline TileLoopControl watched(const StopFlag& stop, mpi::NodeTileIterator& tiles,
                               io::Progress& progress) {
    const auto look = [&tiles, &progress] {
        if (progress.due()) progress.update(tiles.tiles_finished(), tiles.ranks_busy());
    };
    tiles.while_waiting([&tiles, &stop, look] {
        if (stop.is_set()) tiles.abandon();  // else it would wait for a rank that may be stuck
        look();
    });
    return {&stop.flag(), look};
}

/// Collective. Throws SharedError where a signal ended the run before all its tiles were done.
template <class Payload>
void require_whole(const mpi::Communicator& world, const TileRun<Payload>& run,
                   std::int64_t tiles_total) {
    if (world.allreduce_sum(run.tiles_done + run.tiles_resumed) < tiles_total)
        throw mpi::SharedError("stopped before the work was complete", "a signal asked for it",
                               "start the same command again", ExitCode::requeue);
}

/// Collective. All ranks' retries on rank 0; those handed on say who did the tile in the end.
template <class Payload>
std::vector<RetryRecord> gather_retries(const mpi::Communicator& world,
                                        const TileRun<Payload>& run) {
    std::vector<RetryRecord> mine = run.retries;
    for (RetryRecord& retry : mine) retry.rank = world.rank();
    std::vector<RetryRecord> all = world.gather(mine);
    std::vector<std::int64_t> handed_on;
    for (const RetryRecord& retry : all)
        if (retry.outcome == "handed on") handed_on.push_back(retry.tile);
    world.broadcast(handed_on);
    if (handed_on.empty()) return all;
    std::vector<std::int64_t> done_here;
    for (const auto& partial : run.partials)
        if (std::find(handed_on.begin(), handed_on.end(), partial.id.value) != handed_on.end())
            done_here.push_back(partial.id.value);
    world.gather_bytes(
        std::as_bytes(std::span(done_here)),
        [&](int rank, std::span<const std::byte> bytes) { note_who_did(all, rank, bytes); });
    return all;
}

/// "rank 3 on n12".
inline std::string place_of(const mpi::Communicator& world) {
    return fmt::format("rank {} on {}", world.rank(), host_name());
}

/// Where this rank computes; what it has done is still to be filled in.
inline RankRecord rank_record(const kernels::DeviceInfo& device) {
    RankRecord mine;
    mine.host = host_name();
    mine.device = device.name;
    mine.backend = kernels::name_of(device.backend);
    return mine;
}

/// Collective. Notes on rank 0 which rank did what on which device, and what was retried.
template <class Payload>
void note_run(const mpi::Communicator& world, const kernels::DeviceInfo& device,
              const TileRun<Payload>& run, std::int64_t tiles_total, io::RunRecord& record) {
    RankRecord mine = rank_record(device);
    mine.tiles_done = run.tiles_done;
    mine.busy_seconds = run.busy_seconds;
    mine.retries = static_cast<std::int64_t>(run.retries.size());
    mine.waiting_seconds = run.waiting_seconds;
    mine.fate = run.device_lost ? "device lost" : "finished";
    record.ranks = world.gather(std::vector<RankRecord>{mine});
    record.ranks.insert(record.ranks.end(), ranks_left_out().begin(), ranks_left_out().end());
    record.retries = gather_retries(world, run);
    record.tiles_total = tiles_total;
    record.tiles_resumed = world.allreduce_sum(run.tiles_resumed);
}

/// Collective. Notes on rank 0 whose devices were lost after the tiles of note_run(), as `fate`.
template <class Payload>
void note_devices_lost_since(const mpi::Communicator& world, const TileRun<Payload>& run,
                             const char* fate, io::RunRecord& record) {
    const bool since = kernels::device_is_lost() && !run.device_lost;
    const std::vector<int> lost = world.gather(std::vector<int>{since ? 1 : 0});
    for (std::size_t rank = 0; rank < lost.size(); ++rank)
        if (lost[rank]) record.ranks[rank].fate = fate;
}

/// How the work was spread, where there was more than one rank; from the one rank that speaks.
inline void say_balance(bool speaks, const io::RunRecord& record) {
    if (speaks && record.ranks.size() > 1) print_text(stderr, rank_table(record.ranks));
}

}  // namespace tessera::cli
