#include "engine/run_workload.hpp"

#include <fmt/format.h>

#include "core/run_host.hpp"
#include "mpi/mpi_error.hpp"

namespace tessera::engine {

io::ProgressOptions progress_over(const mpi::Communicator& ranks, bool speaks,
                                  std::int64_t resumed) {
    io::ProgressOptions options;
    options.already_done = resumed;
    options.quiet = !speaks;
    options.devices = ranks.size();
    return options;
}

TileLoopControl watched(const StopFlag& stop, mpi::NodeTileIterator& tiles,
                        io::Progress& progress) {
    const auto look = [&tiles, &progress] {
        if (progress.due()) progress.update(tiles.tiles_finished(), tiles.ranks_busy());
    };
    tiles.while_waiting([&tiles, &stop, look] {
        if (stop.is_set()) tiles.abandon();  // otherwise it would wait for a rank that may be stuck
        look();
    });
    return {&stop.flag(), [&tiles, look] {
                look();
                tell_run_host([&] {
                    return static_cast<double>(tiles.tiles_finished()) /
                           static_cast<double>(tiles.tiles_total());
                });
                obey_run_host();
            }};
}

void require_whole(const mpi::Communicator& ranks, const LoopReport& run, std::int64_t tiles_total,
                   bool kept) {
    const std::int64_t done = ranks.allreduce_sum(run.tiles_done + run.tiles_resumed);
    if (done >= tiles_total) return;
    const std::string what_to_do =
        !kept       ? "start the same command again, which begins anew"
        : done == 0 ? "start the same command again; no tile was done yet"
                    : fmt::format("start the same command again, which goes on after the {} of {} "
                                  "tiles that are done",
                                  done, tiles_total);
    throw mpi::SharedError("stopped before the work was complete", "a signal asked for it",
                           what_to_do, ExitCode::requeue);
}

}  // namespace tessera::engine
