// Faults on order: what TESSERA_TEST_FAULTS asks for, done to the tiles of this rank.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::test {

/// One of the comma-separated orders RANK/KIND/VALUE; RANK may be "*".
///   slow/F         each tile takes F times as long
///   pause/S        each tile takes S seconds longer
///   not-finite/T   tile T gives values that are not finite, always
///   memory/T       memory runs out in tile T, always
///   memory-once/T  likewise, but not in smaller launches
///   error/T        the device fails in tile T, always
///   error-after/N  likewise in the tile that follows N finished ones, and in no later one
///   lost/T         tile T ends the device
///   lost-after/N   the device ends in the tile that follows N finished ones
///   refine-lost-after/N  likewise, but counted in tiles of poses that are refined
///   load-lost-after/N, rank-lost-after/N  likewise, in pairs of `dock --pairs` whose arrays have
///   been made
///                  ready, or whose final terms computed
///   no-start/0     the device cannot be started
///   start-lost-after/0, start-memory/0  the device ends, or has no memory, as a docking or a fit
///   sets up what it computes with
///   hang-after/N   the tile that follows N finished ones never ends
///   stop-after/N   the whole process stops there (SIGSTOP)
///   doze/S         the first tile takes S seconds longer
///   kill-after/N   the process is killed there (SIGKILL)
///   wrong-every/N  every N-th answer of a search has a value with another last bit
struct Fault {
    int rank = -1;  ///< -1: all
    std::string kind;
    double value = 0;
};

/// Throws Error for what is none.
std::vector<Fault> parse_faults(const std::string& text);

/// Puts those of `rank` into the hook that the commands' workloads call.
void install_faults(const std::vector<Fault>& faults, int rank);

/// Ends this process's device as a broken kernel would: with a CUDA error that is there to stay, or
/// on a host by pretending; then Kokkos ends the process.
void break_device();

}  // namespace tessera::test
