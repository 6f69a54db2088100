// A screening: which pairs are done, which are to do, and where the results go.
#pragma once

#include <string>

#include "core/stop_flag.hpp"
#include "docking/pairs/pairs_job.hpp"
#include "docking/screen/screen_description.hpp"
#include "docking/screen/screen_files.hpp"
#include "docking/screen/screen_pairs.hpp"
#include "docking/screen/screen_request.hpp"
#include "mpi/communicator.hpp"

namespace tessera::docking {

/// The manifest in the folder of the results.
inline constexpr const char* screen_manifest = "screen.manifest";

struct ScreenJob : PairsJob {
    ScreenDescription description;
    ShardsSoFar shards;  ///< on rank 0

    /// The pairs, which are ScreenPairs.
    const ScreenPairs& screen_pairs() const { return dynamic_cast<const ScreenPairs&>(*pairs); }
};

/// Collective. Reads the lists, finds the pairs that are not done, and locks the folder. Throws
/// SharedError if ranks read different lists, if a file would be replaced that is not from an
/// earlier run, or if the folder holds another part or pairs of other options, files or builds.
ScreenJob read_screen_job(const mpi::Communicator& ranks, const DockInput& input,
                          const ScreenRequest& request, const StopFlag& stop);

}  // namespace tessera::docking
