// Waits for other ranks without occupying a core.
#pragma once

#include <mpi.h>

#include <source_location>
#include <span>

namespace tessera::mpi {

/// MPI's own waits spin. If ranks share cores, a spinning rank may keep the rank it waits for from
/// running, even if it yields at each turn. These functions yield between checks for a moment and
/// then sleep (docs/developer/scheduling.md). Local. Errors of MPI are thrown and name the place in
/// our source that waits.
void wait_for(std::span<MPI_Request> requests,
              const std::source_location& where = std::source_location::current());
void wait_for(MPI_Request& request,
              const std::source_location& where = std::source_location::current());

/// Collective. Returns when all ranks have called it. Call it before MPI calls that exist only in a
/// blocking form. Such a call then takes only the time of its messages.
void meet(MPI_Comm communicator);

}  // namespace tessera::mpi
