#include "mpi/launcher.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace tessera::mpi {

bool has_launcher() {
    // Open MPI, PMIx, MPICH and Intel MPI, MVAPICH, Slurm, Cray's PALS and ALPS, Flux.
    constexpr std::array variables{
        "OMPI_COMM_WORLD_SIZE", "PMIX_RANK",           "PMI_RANK",     "PMI_SIZE",    "PMI_FD",
        "MPI_LOCALNRANKS",      "MV2_COMM_WORLD_SIZE", "SLURM_PROCID", "PALS_RANKID", "ALPS_APP_PE",
        "FLUX_TASK_RANK"};
    return std::ranges::any_of(variables, [](const char* name) { return std::getenv(name); });
}

}  // namespace tessera::mpi
