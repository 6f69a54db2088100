// Ranks whose device cannot be used are left out of a run; the others do it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/run_statistics.hpp"
#include "mpi/communicator.hpp"

namespace tessera::engine {

/// Collective. Runs `command` on the ranks of `world` whose device can be used, which then are all
/// there are for it; on all of them where none can, to say why. The others wait, asleep. A line on
/// stderr for each one left out. `devices` is the value of --device. Returns the command's value, 0
/// on ranks left out; a SharedError of the command is thrown on all ranks.
int run_on_able_ranks(const mpi::Communicator& world, const std::string& devices,
                      const std::function<int(const mpi::Communicator&)>& command);

/// Collective. Runs `start`, which makes ready on this rank's device what it computes with, then
/// `command` likewise on the ranks where that worked: where memory or the device failed they are
/// left out. Throws SharedError where it failed on all.
int run_where_started(const mpi::Communicator& world, const std::function<void()>& start,
                      const std::function<int(const mpi::Communicator&)>& command);

/// Those left out of this run: rows of /run/ranks that follow those of the others.
const std::vector<RankRecord>& ranks_left_out();

}  // namespace tessera::engine
