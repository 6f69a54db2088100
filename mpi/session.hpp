// Starts and finalises MPI, and ends the job if a rank fails alone. Or runs without MPI.
#pragma once

#include <functional>
#include <string>

#include "core/error.hpp"

namespace tessera::mpi {

enum class Threads { funneled, serialized, multiple };

/// Initialises MPI and finalises it in the destructor. If MPI runs already (tests), it does
/// neither.
class Session {
  public:
    /// Requests the level `wanted`. Throws Error if the library does not provide `needed`.
    Session(int& argc, char**& argv, Threads needed = Threads::funneled,
            Threads wanted = Threads::serialized);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Runs the program and returns its exit code, or 4 if its output could not be printed. Rank 0
    /// prints a SharedError, and all ranks return its code. Any other exception ends the whole job
    /// if there are several ranks.
    int run(const std::function<int()>& program) const;

    /// Finalises MPI and ends the process at once without destructors, for a rank whose device is
    /// lost.
    [[noreturn]] void leave(int exit_code);

  private:
    bool owns_mpi_ = false;
};

/// Runs a program that needs no other rank, without MPI. Returns its exit code, or 4 if its output
/// could not be printed. Prints what it throws.
int run_alone(const std::function<int()>& program);

/// Prints one line to stderr and ends all ranks with this exit code.
[[noreturn]] void abort_job(const std::string& line, ExitCode code);

}  // namespace tessera::mpi
