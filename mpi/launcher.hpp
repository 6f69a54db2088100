// Whether this process is one of several.
#pragma once

namespace tessera::mpi {

/// Whether a launcher of MPI programs has started this process, as far as the environment tells.
/// It is also true for what a job script of Slurm starts by itself. MPI need not run.
bool has_launcher();

}  // namespace tessera::mpi
