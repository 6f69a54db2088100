// What the commands that dock many pairs in one run have in common.
#pragma once

#include <string>

#include "app/dock_command.hpp"
#include "core/stop_flag.hpp"
#include "docking/pairs/pair_ledger.hpp"
#include "docking/pairs/pairs_job.hpp"
#include "io/hdf5/run_record.hpp"
#include "kokkos_kernels/device/device.hpp"
#include "mpi/communicator.hpp"

namespace tessera::app {

/// Says why a pair fails, in this run or an earlier one.
void say_failed(bool speaks, const std::string& pair, const std::string& reason);

/// Says how many pairs there are and how many are left, and names those that cannot be done.
/// `list`: where the pairs come from.
void announce_pairs(bool speaks, const docking::PairsJob& job, const std::string& list);

/// Collective. Docks the pairs that are not done and keeps the books. `record` holds the command
/// line and the build.
void dock_all(const mpi::Communicator& world, docking::PairsJob& job, docking::PairLedger& ledger,
              const RunOptions& options, const io::RunRecord& record,
              const kernels::DeviceInfo& device, const StopFlag& stop);

/// On rank 0: writes the summary in these lines, removes the lock, and says how the pairs ended.
void close_job(docking::PairsJob& job, docking::PairLedger& ledger,
               const docking::SummaryLines& lines, bool quiet);

/// On rank 0: throws Error if not all pairs are done.
void require_all_done(const docking::PairsJob& job);

}  // namespace tessera::app
