#include "engine/run_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "core/host_name.hpp"
#include "core/terminal.hpp"
#include "engine/able_ranks.hpp"
#include "engine/rank_table.hpp"
#include "kokkos_kernels/device/device_guard.hpp"

namespace tessera::engine {

namespace {

/// Collective. The retries of all ranks, on rank 0. If a tile was handed on, its record says who
/// did it.
std::vector<RetryRecord> gather_retries(const mpi::Communicator& ranks, const LoopReport& run,
                                        std::span<const std::int64_t> done) {
    std::vector<RetryRecord> mine = run.retries;
    for (RetryRecord& retry : mine) retry.rank = ranks.rank();
    std::vector<RetryRecord> all = ranks.gather(mine);
    std::vector<std::int64_t> handed_on;
    for (const RetryRecord& retry : all)
        if (retry.outcome == "handed on") handed_on.push_back(retry.tile);
    ranks.broadcast(handed_on);
    if (handed_on.empty()) return all;
    std::vector<std::int64_t> done_here;
    std::ranges::copy_if(done, std::back_inserter(done_here), [&](std::int64_t tile) {
        return std::ranges::find(handed_on, tile) != handed_on.end();
    });
    ranks.gather_bytes(
        std::as_bytes(std::span(done_here)),
        [&](int rank, std::span<const std::byte> bytes) { note_who_did(all, rank, bytes); });
    return all;
}

}  // namespace

void say(bool speaks, const std::string& line) {
    if (speaks) print_line(stderr, line);
}

std::string place_of(const mpi::Communicator& ranks) {
    return fmt::format("rank {} on {}", ranks.rank(), host_name());
}

void note_run(const mpi::Communicator& ranks, const kernels::DeviceInfo& device,
              const LoopReport& run, std::span<const std::int64_t> done, std::int64_t tiles_total,
              io::RunRecord& record) {
    record.ranks = ranks.gather(std::vector<RankRecord>{rank_record(device, run)});
    record.ranks.insert(record.ranks.end(), ranks_left_out().begin(), ranks_left_out().end());
    record.retries = gather_retries(ranks, run, done);
    record.tiles_total = tiles_total;
    record.tiles_resumed = ranks.allreduce_sum(run.tiles_resumed);
}

void note_devices_lost_since(const mpi::Communicator& ranks, const LoopReport& run,
                             const char* fate, io::RunRecord& record) {
    const bool since = kernels::device_is_lost() && !run.device_lost;
    const std::vector<int> lost = ranks.gather(std::vector<int>{since ? 1 : 0});
    for (std::size_t rank = 0; rank < lost.size(); ++rank)
        if (lost[rank]) record.ranks[rank].fate = fate;
}

void say_balance(bool speaks, const io::RunRecord& record) {
    if (speaks && record.ranks.size() > 1) print_text(stderr, rank_table(record.ranks));
}

}  // namespace tessera::engine
