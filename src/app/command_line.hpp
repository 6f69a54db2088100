// The command line of tessera.
#pragma once

#include <memory>

#include "core/stop_flag.hpp"

namespace tessera::app {

/// Parses the arguments and runs the command. Called by all ranks of MPI_COMM_WORLD. Returns 0 only
/// for a complete result. Throws Error for everything that a user can correct. Takes over `stop`
/// and destroys it at once if the command has nothing to save when a signal arrives.
int run_command_line(int argc, char** argv, std::unique_ptr<StopFlag> stop);

}  // namespace tessera::app
