// tessera dock --pairs TABLE -o FOLDER
#pragma once

#include "app/dock_command.hpp"
#include "app/rerun_command.hpp"
#include "core/stop_flag.hpp"
#include "docking/setup/dock_input.hpp"
#include "io/hdf5/run_record.hpp"
#include "kokkos_kernels/device/device.hpp"
#include "mpi/communicator.hpp"

namespace tessera::app {

/// Docks every pair of the table, with everything else as in `input`, into one file for each pair,
/// and writes FOLDER/pairs.csv. `expected` names the folder that is made again, if any. `record`
/// holds the command line and its options. `device`: one that runs already; without it the device
/// of the options is started. Called by all ranks. Returns 0 if every pair has its
/// output. Throws SharedError if a pair failed or a signal stopped the run.
int run_dock_pairs(const mpi::Communicator& world, const docking::DockInput& input,
                   const RunOptions& options, const ExpectedInput& expected, io::RunRecord record,
                   const StopFlag& stop, const kernels::DeviceRuntime* device = nullptr);

}  // namespace tessera::app
