// A workload's tiles over all ranks, from the first tile to the last.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/stop_flag.hpp"
#include "core/tile.hpp"
#include "engine/run_notes.hpp"
#include "engine/run_tiles.hpp"
#include "io/hdf5/run_record.hpp"
#include "io/text/progress.hpp"
#include "kokkos_kernels/device/device.hpp"
#include "mpi/communicator.hpp"
#include "mpi/gather_by_tile.hpp"
#include "mpi/scheduling/node_tile_iterator.hpp"

namespace tessera::engine {

/// How a run goes about its tiles.
struct RunControl {
    const char* title;                  ///< of the progress line: "docking"
    const char* phase;                  ///< of the loop, in /run/phases: "tiles"
    const kernels::DeviceInfo& device;  ///< of this rank
    const StopFlag& stop;
    bool quiet = false;            ///< prints nothing
    bool more_to_journal = false;  ///< the journal stays open for what follows the tiles
};

/// The options of a progress line over all ranks. `resumed`: tiles that an earlier run has done.
io::ProgressOptions progress_over(const mpi::Communicator& ranks, bool speaks,
                                  std::int64_t resumed = 0);

/// Stops at a signal. `progress` moves on after each tile and while this rank waits. All three must
/// outlive the loop.
TileLoopControl watched(const StopFlag& stop, mpi::NodeTileIterator& tiles, io::Progress& progress);

/// Collective. Throws SharedError if a signal ended the run before all its tiles were done. `kept`:
/// a journal holds the tiles that are done.
void require_whole(const mpi::Communicator& ranks, const LoopReport& run, std::int64_t tiles_total,
                   bool kept);

/// Collective. Computes all tiles of a run on whichever rank asks for them, with progress line and
/// journal, and notes in `record` who did what. Returns what this rank has computed or taken from
/// the journal. Throws SharedError if a tile failed for good, or if a signal ended the run.
template <TileWorkload Workload, TileJournal<typename Workload::Payload> Journal>
TileRun<typename Workload::Payload> run_workload(const mpi::Communicator& ranks, Workload& workload,
                                                 mpi::NodeTileIterator& tiles, Journal& journal,
                                                 const RunControl& control, io::RunRecord& record) {
    const bool speaks = ranks.is_root() && !control.quiet;
    io::Progress progress(control.title, tiles.tiles_total(),
                          progress_over(ranks, speaks, journal.tiles_resumed()));
    TileRun<typename Workload::Payload> run;
    ranks.together([&] {
        record.time_phase(control.phase, [&] {
            run = run_tiles(workload, tiles, journal, watched(control.stop, tiles, progress));
            if (run.stopped || !control.more_to_journal) journal.close(run.stopped);
        });
    });
    constexpr bool kept = !std::is_same_v<Journal, NoJournal<typename Workload::Payload>>;
    require_whole(ranks, run, tiles.tiles_total(), kept);
    progress.finish();
    note_run(ranks, control.device, run, tiles.tiles_total(), record);
    say_balance(speaks, record);
    return run;
}

/// Collective. The partials of all tiles in tile order, on rank `to`; empty on the others.
template <class Payload>
std::vector<TilePartial<Payload>> gather_partials(const mpi::Communicator& ranks,
                                                  const TileRun<Payload>& run,
                                                  io::RunRecord& record, int to = 0) {
    return record.time_phase(
        "gather", [&] { return mpi::gather_by_tile(ranks, run.partials, record.tiles_total, to); });
}

}  // namespace tessera::engine
