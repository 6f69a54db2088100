// What a run says and notes about itself: who did what, on which device, and what was retried.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/run_statistics.hpp"
#include "core/tile.hpp"
#include "engine/rank_record.hpp"
#include "engine/run_tiles.hpp"
#include "io/hdf5/run_record.hpp"
#include "kokkos_kernels/device/device.hpp"
#include "mpi/communicator.hpp"

namespace tessera::engine {

/// Prints a line on stderr, from the one rank that speaks.
void say(bool speaks, const std::string& line);

/// "rank 3 on n12".
std::string place_of(const mpi::Communicator& ranks);

/// Collective. Notes on rank 0 which rank did what on which device, and what was retried. `done`:
/// the tiles whose partials this rank has.
void note_run(const mpi::Communicator& ranks, const kernels::DeviceInfo& device,
              const LoopReport& run, std::span<const std::int64_t> done, std::int64_t tiles_total,
              io::RunRecord& record);

template <class Payload>
void note_run(const mpi::Communicator& ranks, const kernels::DeviceInfo& device,
              const TileRun<Payload>& run, std::int64_t tiles_total, io::RunRecord& record) {
    std::vector<std::int64_t> done;
    done.reserve(run.partials.size());
    for (const auto& partial : run.partials) done.push_back(partial.id.value);
    note_run(ranks, device, run, done, tiles_total, record);
}

/// Collective. Notes on rank 0 whose devices were lost after the tiles of note_run(), as `fate`.
void note_devices_lost_since(const mpi::Communicator& ranks, const LoopReport& run,
                             const char* fate, io::RunRecord& record);

/// Prints how the work was spread, if there was more than one rank.
void say_balance(bool speaks, const io::RunRecord& record);

}  // namespace tessera::engine
