// What the program was built with, for output files.
#pragma once

#include <string>

namespace tessera::engine {

std::string program_version();
std::string program_revision();  ///< of git
/// JSON: compiler, Kokkos, MPI, HDF5, CUDA, git revision.
std::string build_record();

}  // namespace tessera::engine
