// Who watches over this process, if someone does: the client of a volunteer-computing project, on a
// computer that belongs to someone else.
#pragma once

#include <functional>

namespace tessera {

/// What the client wants to know and may ask for. All members are empty in a program that nobody
/// watches over. They are called on rank 0, outside of the work on a tile.
struct RunHost {
    /// Returns when the run may go on. It may ask the run to stop, by a signal.
    std::function<void()> between_tiles;
    std::function<void(double fraction)> progress;  ///< 0 to 1
    /// Whether a checkpoint is wanted now. If so, checkpoint_done() must follow.
    std::function<bool()> wants_checkpoint;
    std::function<void()> checkpoint_done;
};

/// The one of this process.
inline RunHost& run_host() {
    static RunHost host;
    return host;
}

inline void obey_run_host() {
    if (run_host().between_tiles) run_host().between_tiles();
}

/// `fraction()` is only called if someone wants to know.
template <class Fraction>
void tell_run_host(const Fraction& fraction) {
    if (run_host().progress) run_host().progress(fraction());
}

/// Call it when progress was recorded. `sync()` brings the records to the disk.
template <class Sync>
void checkpoint_for_run_host(const Sync& sync) {
    const RunHost& host = run_host();
    if (!host.wants_checkpoint || !host.wants_checkpoint()) return;
    sync();
    host.checkpoint_done();
}

}  // namespace tessera
