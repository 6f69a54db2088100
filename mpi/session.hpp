// MPI from its start to its end, and the way out when a rank fails alone.
#pragma once

#include <functional>
#include <string>

#include "core/error.hpp"

namespace tessera::mpi {

enum class Threads { funneled, serialized, multiple };

/// Initialises MPI and finalises it at its end; where MPI runs already (tests), does neither.
class Session {
  public:
    /// Asks for `wanted` and throws Error if the library cannot give `needed`.
    Session(int& argc, char**& argv, Threads needed = Threads::funneled,
            Threads wanted = Threads::serialized);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Runs the program and returns its exit code, 4 where what it printed could not be written. A SharedError is printed by rank 0 and its code
    /// returned on all ranks; any other exception of one rank among several ends the whole job.
    int run(const std::function<int()>& program) const;

    /// Finalises MPI and ends the process at once, with no destructor of what is still there: for a
    /// rank whose device is lost.
    [[noreturn]] void leave(int exit_code);

  private:
    bool owns_mpi_ = false;
};

/// Prints one line to stderr and ends all ranks with this exit code.
[[noreturn]] void abort_job(const std::string& line, ExitCode code);

}  // namespace tessera::mpi
