// Waiting for other ranks without keeping a core from them.
#pragma once

#include <mpi.h>

#include <source_location>
#include <span>

namespace tessera::mpi {

/// MPI's own waits spin. Where ranks share cores, a rank that spins, even one that yields at each turn,
/// may keep the one it waits for from running. These give way between looks for a moment, then
/// sleep between them (docs/developer/scheduling.md). Local; errors of MPI are thrown and name the place in our source that waits.
void wait_for(std::span<MPI_Request> requests,
              const std::source_location& where = std::source_location::current());
void wait_for(MPI_Request& request,
              const std::source_location& where = std::source_location::current());

/// Collective: returns when all ranks have come. Before calls that MPI has in no form that can be waited
/// for asleep; what they take then is their messages' time only.
void meet(MPI_Comm communicator);

}  // namespace tessera::mpi
