// A screening: which pairs are done, which are to do, and where the results go.
#pragma once

#include <string>

#include "core/stop_flag.hpp"
#include "docking/pairs/pairs_job.hpp"
#include "docking/screen/screen_pairs.hpp"
#include "mpi/communicator.hpp"

namespace tessera::docking {

/// What a user has asked for.
struct ScreenRequest {
    std::string receptors, ligands;  ///< paths of the lists; they may be the same
    std::string folder;              ///< for the results
    bool force = false;              ///< start over
};

/// Collective. Reads the lists, finds the pairs that are not done, and locks the folder. The pairs
/// of the job are ScreenPairs. Throws SharedError if ranks read different lists, if a file would be
/// replaced that is not from an earlier run, or if the folder holds pairs of other options, files
/// or builds.
PairsJob read_screen_job(const mpi::Communicator& ranks, const DockInput& input,
                         const ScreenRequest& request, const StopFlag& stop);

/// The pairs of such a job.
const ScreenPairs& screen_pairs(const PairsJob& job);

}  // namespace tessera::docking
