// What every workload's command does around its tiles.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "io/run_record.hpp"
#include "kokkos_kernels/device.hpp"
#include "mpi/communicator.hpp"
#include "mpi/mpi_error.hpp"
#include "run_tiles.hpp"

namespace tessera::cli {

/// A line on stderr, from the one rank that speaks.
inline void say(bool speaks, const std::string& line) {
    if (speaks) std::fprintf(stderr, "%s\n", line.c_str());
}

/// Collective. Throws SharedError where a signal ended the run before all its tiles were done.
template <class Payload>
void require_whole(const mpi::Communicator& world, const TileRun<Payload>& run,
                   std::int64_t tiles_total) {
    if (world.allreduce_sum(run.tiles_done + run.tiles_resumed) < tiles_total)
        throw mpi::SharedError("stopped before the work was complete", "a signal asked for it",
                               "start the same command again", ExitCode::requeue);
}

/// Collective. Notes on rank 0 which rank did what on which device, and what was retried.
template <class Payload>
void note_run(const mpi::Communicator& world, const kernels::DeviceInfo& device,
              const TileRun<Payload>& run, std::int64_t tiles_total, io::RunRecord& record) {
    char host[64] = "";
    gethostname(host, sizeof(host) - 1);
    RankRecord mine;
    mine.host = std::string(host);
    mine.device = device.name;
    mine.backend = kernels::name_of(device.backend);
    mine.tiles_done = run.tiles_done;
    mine.busy_seconds = run.busy_seconds;
    mine.retries = static_cast<std::int64_t>(run.retries.size());
    record.ranks = world.gather(std::vector<RankRecord>{mine});
    std::vector<RetryRecord> retries = run.retries;
    for (RetryRecord& retry : retries) retry.rank = world.rank();
    record.retries = world.gather(retries);
    record.tiles_total = tiles_total;
    record.tiles_resumed = world.allreduce_sum(run.tiles_resumed);
}

}  // namespace tessera::cli
