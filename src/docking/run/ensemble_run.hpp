// The docking of all pairs of conformers over all ranks, one pair after another.
#pragma once

#include <memory>

#include "core/stop_flag.hpp"
#include "docking/result/finish_result.hpp"
#include "docking/setup/prepare.hpp"
#include "engine/tile_journal.hpp"
#include "io/hdf5/run_record.hpp"
#include "kokkos_kernels/docking/correlation_search.hpp"
#include "mpi/communicator.hpp"
#include "mpi/scheduling/node_tile_iterator.hpp"

namespace tessera::docking {

/// The arguments of such a docking. All references must outlive the call.
struct EnsembleRun {
    const DockInput& input;
    const PreparedDocking& first;  ///< has the ensemble
    const kernels::DeviceInfo& device;
    std::shared_ptr<kernels::CorrelationSearch>& search;  ///< of the first pair; replaced
    const StopFlag& stop;
    mpi::NodeTileOptions schedule;
    double memory_gib = 0;  ///< limit of the device memory; 0: most of the free memory
    bool quiet = false;     ///< print nothing
};

/// Collective. Searches, sorts and refines each pair. Rank 0 gets the joined lists and one
/// consensus. `journal` has the tiles of all pairs, those of a pair after those of the pair before.
/// Closes it. Throws SharedError if no device is left or if a signal stopped the run.
SortedPoses dock_ensemble(const mpi::Communicator& ranks, const EnsembleRun& run,
                          DiskJournal<kernels::PoseRecord>& journal, io::RunRecord& record);

}  // namespace tessera::docking
