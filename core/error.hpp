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
    internal = 70,  ///< a bug in Tessera or in a library
    requeue = 75,   ///< stopped by a signal or stuck; start again to resume
};

/// A line that already reads "problem (why): what to do", e.g. one received from another rank.
struct FinishedLine {
    std::string text;
};

/// The exception type of the program; what() is the finished line.
class Error : public std::runtime_error {
  public:
    Error(const std::string& problem, const std::string& why, const std::string& what_to_do,
          ExitCode code = ExitCode::usage)
        : Error(FinishedLine{problem + " (" + why + "): " + what_to_do}, code) {}

    Error(const FinishedLine& line, ExitCode code)
        : std::runtime_error(without_breaks(line.text)), code_(code) {}

    ExitCode code() const { return code_; }

  private:
    /// Paths and quoted text from users may contain line breaks.
    static std::string without_breaks(std::string line) {
        for (char& c : line)
            if (c == '\n' || c == '\r') c = ' ';
        return line;
    }

    ExitCode code_;
};

/// A workload throws this if a tile fails but may succeed in smaller batches, which run_tiles then
/// tries. Other device code throws it for a caller that can continue without the device.
class TileFailure : public std::runtime_error {
  public:
    enum class Reason { not_finite, out_of_memory, device_error };

    TileFailure(Reason reason, const std::string& detail)
        : std::runtime_error(detail), reason_(reason) {}

    Reason reason() const { return reason_; }

    const char* reason_name() const {
        switch (reason_) {
            case Reason::not_finite: return "not finite";
            case Reason::out_of_memory: return "out of memory";
            default: return "device error";
        }
    }

    ExitCode exit_code() const {
        return reason_ == Reason::not_finite ? ExitCode::numerics : ExitCode::resources;
    }

  private:
    Reason reason_;
};

}  // namespace tessera
