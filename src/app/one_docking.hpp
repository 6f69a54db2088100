// A docking over all ranks, from prepared input to its sorted and refined poses.
#pragma once

#include <functional>
#include <string>

#include "app/dock_command.hpp"
#include "docking/result/finish_result.hpp"
#include "docking/setup/prepare.hpp"
#include "engine/tile_journal.hpp"
#include "io/hdf5/run_record.hpp"
#include "kokkos_kernels/device/device.hpp"

namespace tessera::app {

/// What every rank has before the first tile. All references must outlive the docking.
struct OneDocking {
    const docking::DockInput& input;
    const docking::PreparedDocking& prepared;
    const kernels::DeviceInfo& device;  ///< runs already
    const RunOptions& options;
    std::string output;  ///< the journal lies beside it
    const StopFlag& stop;
    bool of_table = false;  ///< a row, whose devices and memory are not announced
};

/// Completes the result and writes it. Called on one rank. The journal is closed.
using KeepDocking = std::function<void(
    docking::SortedPoses sorted, DiskJournal<kernels::PoseRecord>& journal, io::RunRecord& record)>;

/// Collective. Docks the pair of partners, or all pairs of their conformers, on the ranks whose
/// devices hold the search. Throws SharedError on all ranks if that fails or a signal stops it.
void dock_one(const mpi::Communicator& world, const OneDocking& docking, io::RunRecord& record,
              const KeepDocking& keep);

}  // namespace tessera::app
