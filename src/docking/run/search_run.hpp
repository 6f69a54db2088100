// A docking over all ranks: from prepared input to sorted and refined poses.
#pragma once

#include <memory>
#include <vector>

#include "core/stop_flag.hpp"
#include "core/tile.hpp"
#include "core/tile_deadline.hpp"
#include "docking/result/finish_result.hpp"
#include "docking/setup/prepare.hpp"
#include "engine/tile_journal.hpp"
#include "io/hdf5/run_record.hpp"
#include "kokkos_kernels/docking/correlation_search.hpp"
#include "mpi/communicator.hpp"
#include "mpi/scheduling/node_tile_iterator.hpp"

namespace tessera::docking {

/// Collective. What every rank needs before its first tile. All ranks take the rotations of rank 0, which may
/// have been computed with its own mathematical functions.
PreparedDocking prepare_on_all(const mpi::Communicator& ranks, const DockInput& input,
                               io::RunRecord& record);

/// Collective. Rank 0's rotations on all ranks.
void broadcast(const mpi::Communicator& ranks, RotationSet& rotations);

/// Identifies a run. Rotations that are made here have the last bits of the machine that made them, so a run
/// goes on with the same rotations only.
std::string hash_with_rotations(const PreparedDocking& prepared);

/// The tiles of a docking with these rotations.
std::vector<Tile> tiles_of(const RotationSet& rotations);

/// What a search is given beside its tiles. All must outlive the call.
struct SearchRun {
    const DockInput& input;
    const PreparedDocking& prepared;
    const kernels::DeviceInfo& device;
    std::shared_ptr<kernels::CorrelationSearch> search;  ///< on this rank's device
    const StopFlag& stop;
    TileDeadline deadline;  ///< of the refinement's tiles
    bool quiet = false;     ///< prints nothing
};

/// Collective. Searches all tiles, sorts the poses and refines the best: sorted lists and consensus on rank 0.
/// The first rank that has a device sorts, and all that have one refine. Closes the journal. Throws SharedError if
/// no device is left, or if a signal stopped the run.
SortedPoses search_and_refine(const mpi::Communicator& ranks, const SearchRun& run,
                              mpi::NodeTileIterator& tiles,
                              DiskJournal<kernels::PoseRecord>& journal, io::RunRecord& record);

}  // namespace tessera::docking
