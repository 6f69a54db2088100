// Every MPI return code is checked here, and a rank's failure is made known to all.
#pragma once

#include <exception>
#include <source_location>
#include <string>

#include "core/error.hpp"

namespace tessera::mpi {

/// Throws Error naming the call, MPI's own text and the place in our source unless `code` is
/// MPI_SUCCESS. Communicators and windows of this folder return codes rather than abort.
void check(int code, const char* call,
           const std::source_location& where = std::source_location::current());

/// An error that every rank of the communicator holds alike, so that all may leave in good order.
class SharedError : public Error {
  public:
    using Error::Error;
};

/// What a caught exception says to the user, as one line, and the exit code it stands for.
struct Failure {
    std::string line;
    ExitCode code = ExitCode::internal;
};

Failure describe(const std::exception_ptr& exception);

}  // namespace tessera::mpi
