// What a job takes along from the shell of its user, and what a machine offers.
#pragma once

#include <string>
#include <vector>

namespace tessera::queue {

/// The variables on which a run depends, as NAME=value: PATH, search paths of libraries and Python,
/// and those of Tessera, OpenMP, Open MPI, Kokkos and HDF5. The runner sets OMP_NUM_THREADS and
/// CUDA_VISIBLE_DEVICES itself, so they are left out.
std::vector<std::string> environment_that_matters();

/// Cores that this process may use.
int cores_here();

/// The GPUs in CUDA_VISIBLE_DEVICES if it is set, otherwise the numbers of all NVIDIA GPUs.
std::vector<std::string> gpus_here();

/// "0,2" -> 0 and 2.
std::vector<std::string> listed(const std::string& text);

/// The opposite.
std::string joined(const std::vector<std::string>& names);

}  // namespace tessera::queue
