// The command line of tessera.
#pragma once

#include <memory>

#include "core/stop_flag.hpp"

namespace tessera::app {

/// Parses the arguments and runs the command. Returns 0 only for a complete result; throws Error for
/// everything a user can mend. Called by all ranks of MPI_COMM_WORLD. `stop`: of the whole program so far;
/// it ends here, at once where the command keeps nothing that a signal should wait for.
int run_command_line(int argc, char** argv, std::unique_ptr<StopFlag> stop);

}  // namespace tessera::app
