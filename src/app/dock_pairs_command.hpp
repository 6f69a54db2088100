// tessera dock --pairs TABLE -o FOLDER
#pragma once

#include <string>

#include "app/dock_command.hpp"
#include "core/stop_flag.hpp"
#include "docking/setup/dock_input.hpp"
#include "mpi/communicator.hpp"

namespace tessera::app {

/// Docks every pair of the table, with everything else as in `input`, into one file for each pair,
/// and writes FOLDER/pairs.csv. Called by all ranks. Returns 0 if every pair has its output. Throws
/// SharedError if a pair failed or a signal stopped the run.
int run_dock_pairs(const mpi::Communicator& world, const docking::DockInput& input,
                   const RunOptions& options, const std::string& command_line,
                   const StopFlag& stop);

}  // namespace tessera::app
