// From the tiles of a docking run to its ranked and refined poses, on the devices that are left.
#pragma once

#include <memory>

#include "core/stop_flag.hpp"
#include "core/tile_deadline.hpp"
#include "docking/finish_result.hpp"
#include "docking/prepare.hpp"
#include "io/run_record.hpp"
#include "kokkos_kernels/docking/correlation_search.hpp"
#include "mpi/communicator.hpp"
#include "run_tiles.hpp"
#include "tile_journal.hpp"

namespace tessera::cli {

/// What the search has left; all must outlive the call.
struct SearchedRun {
    const docking::DockInput& input;
    const docking::PreparedDocking& prepared;
    kernels::Backend backend;
    std::shared_ptr<kernels::CorrelationSearch> search;  ///< on this rank's device
    const TileRun<kernels::PoseRecord>& tiles;
    std::int64_t tiles_total = 0;
    TileFiles& journal;
    const StopFlag& stop;
    bool quiet = false;
    TileDeadline deadline;  ///< of the refinement's tiles
};

/// Collective. Ranked lists and consensus on rank 0, whose device is not needed for them: the first rank that
/// has one ranks the poses, all that have one refine them. Throws SharedError where none is left, or where a
/// signal stopped the refinement.
docking::RankedPoses rank_and_refine(const mpi::Communicator& world, const SearchedRun& run,
                                     io::RunRecord& record);

}  // namespace tessera::cli
