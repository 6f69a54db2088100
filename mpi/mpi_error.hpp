// Checks of MPI return codes, and failures of one rank that are passed to all ranks.
#pragma once

#include <exception>
#include <source_location>
#include <string>

#include "core/error.hpp"

namespace tessera::mpi {

/// Throws Error unless `code` is MPI_SUCCESS. The error names the call, MPI's own text and the
/// place in our source. Communicators and windows of this folder return codes and do not abort.
void check(int code, const char* call,
           const std::source_location& where = std::source_location::current());

/// An error that all ranks of the communicator throw alike, so that all of them can stop in an
/// orderly way.
class SharedError : public Error {
  public:
    using Error::Error;
};

/// The error line and the exit code of a caught exception.
struct Failure {
    std::string line;
    ExitCode code = ExitCode::internal;
};

Failure describe(const std::exception_ptr& exception);

}  // namespace tessera::mpi
