// That all ranks of a run are about to compute the same thing.
#pragma once

#include <string>

#include "io/journal/partial_folder.hpp"
#include "mpi/communicator.hpp"

namespace tessera::engine {

/// Version and git revision of this program.
std::string program_build();

/// Collective. Throws SharedError unless `mine` is the same on all ranks; the line names the first
/// rank that differs from rank 0, its host, `what` differs and `what_to_do`.
void require_same(const mpi::Communicator& world, const std::string& what, const std::string& mine,
                  const std::string& what_to_do);

/// Collective. What identifies the run: every rank brings the hash of the input that it has read
/// itself and the number of tiles that it has cut. Throws SharedError where ranks differ.
io::RunIdentity agreed_identity(const mpi::Communicator& world, const std::string& workload,
                                const std::string& input_sha256, std::int64_t tiles_total);

}  // namespace tessera::engine
