// Errors as every Tessera command reports them: one line "problem (why): what to do".
#pragma once

#include <stdexcept>
#include <string>

namespace tessera {

/// Process exit codes. 0 is only returned for a complete result.
enum class ExitCode : int {
    usage = 2,      ///< bad command line or bad input file
    numerics = 3,   ///< a result that is not finite
    resources = 4,  ///< memory, disk or device missing
    internal = 70,  ///< a bug of ours or of a library
    requeue = 75,   ///< stopped by the scheduler's warning; start again to resume
};

/// The one exception type of the program; what() is the finished line.
class Error : public std::runtime_error {
  public:
    Error(const std::string& problem, const std::string& why, const std::string& what_to_do,
          ExitCode code = ExitCode::usage)
        : std::runtime_error(problem + " (" + why + "): " + what_to_do), code_(code) {}

    ExitCode code() const { return code_; }

  private:
    ExitCode code_;
};

}  // namespace tessera
