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

/// Collective. Prepares everything that a rank needs before its first tile. All ranks take the
/// rotations and the conformers of rank 0, because computed ones depend on the machine's
/// mathematical functions.
PreparedDocking prepare_on_all(const mpi::Communicator& ranks, const DockInput& input,
                               io::RunRecord& record);

/// Collective. Sends the rotations of rank 0 to all ranks.
void broadcast(const mpi::Communicator& ranks, RotationSet& rotations);

/// Collective. Sends the conformers of rank 0 to all ranks.
void broadcast(const mpi::Communicator& ranks, Ensemble& ensemble);

/// Identifies a run by its input, its rotations and its conformers. The last bits of computed ones
/// depend on the machine, and a run may only be resumed with the same.
std::string hash_with_rotations(const PreparedDocking& prepared);

/// The arguments of a search beside its tiles. All references must outlive the call.
struct SearchRun {
    const DockInput& input;
    const PreparedDocking& prepared;
    const kernels::DeviceInfo& device;
    std::shared_ptr<kernels::CorrelationSearch> search;  ///< on this rank's device
    const StopFlag& stop;
    TileDeadline deadline;  ///< for the tiles of the refinement
    bool quiet = false;     ///< print nothing
};

/// Collective. Searches all tiles, sorts the poses and refines the best. Rank 0 gets the sorted
/// lists and the consensus. The first rank with a device sorts, and all ranks with a device refine.
/// Closes the journal. Throws SharedError if no device is left or if a signal stopped the run.
SortedPoses search_and_refine(const mpi::Communicator& ranks, const SearchRun& run,
                              mpi::NodeTileIterator& tiles,
                              DiskJournal<kernels::PoseRecord>& journal, io::RunRecord& record);

}  // namespace tessera::docking
