// The command line of tessera.
#pragma once

namespace tessera::cli {

/// Parses the arguments and runs the command. Returns 0 only for a complete result; throws Error for
/// everything a user can mend. Called by all ranks of MPI_COMM_WORLD.
int run_command_line(int argc, char** argv);

}  // namespace tessera::cli
