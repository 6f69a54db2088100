// The rows of a table that are docked one after another, each by all ranks.
#pragma once

#include "app/dock_command.hpp"
#include "docking/pairs/pair_ledger.hpp"
#include "docking/pairs/pairs_job.hpp"
#include "io/hdf5/run_record.hpp"
#include "kokkos_kernels/device/device.hpp"

namespace tessera::app {

/// Collective. Docks the rows of `job.own_searches` (docking::has_own_search()) as single runs and
/// keeps the books. A row that fails leaves the others alone. Ends early if a signal asks for it or
/// if no device is left.
void dock_own_searches(const mpi::Communicator& world, docking::PairsJob& job,
                       docking::PairLedger& ledger, const RunOptions& options,
                       const io::RunRecord& record, const kernels::DeviceInfo& device,
                       const StopFlag& stop);

}  // namespace tessera::app
