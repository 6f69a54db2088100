// The deadline of a tile, and the end of a run that is stuck.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <string>

#include "core/error.hpp"

namespace tessera {

/// Times in seconds of a clock that stands still while the machine is suspended.
struct TileDeadline {
    double factor = 0;         ///< times the usual time of the rank's own tiles; 0: no deadline
    double least = 300;        ///< a tile is never late before this time
    double stuck_after = 300;  ///< how long a run may go on with nothing but late tiles

    bool is_on() const { return factor > 0; }
};

/// The times of one rank's tiles. Other ranks do not count, because their devices may differ.
class TileTimes {
  public:
    void add(double seconds) { last_[count_++ % last_.size()] = seconds; }

    /// The median of the last times, or 0 while there are too few.
    double usual() const {
        if (count_ < enough) return 0;
        auto sorted = last_;
        const auto end = sorted.begin() + static_cast<std::ptrdiff_t>(std::min(count_, kept));
        const auto middle = sorted.begin() + (end - sorted.begin()) / 2;
        std::nth_element(sorted.begin(), middle, end);
        return *middle;
    }

    /// The number of seconds after which the next tile is late. The deadline must be on. The first
    /// tiles of a rank get more time, because they may load kernels and make FFT plans.
    double limit(const TileDeadline& deadline) const {
        if (count_ < enough) return patience_with_the_first * deadline.least;
        return std::max(deadline.least, deadline.factor * usual());
    }

  private:
    static constexpr std::size_t enough = 3, kept = 31;
    static constexpr double patience_with_the_first = 12;

    std::array<double, kept> last_{};
    std::size_t count_ = 0;
};

/// Prints the error line of a run that is stuck.
inline void say_stuck(const std::string& what, double seconds) {
    const Error error(what + " is stuck",
                      "it has run for " + std::to_string(static_cast<long>(seconds)) +
                          " s without a result",
                      "start the same command again to continue; if this happens again, check the "
                      "device and the disks of that machine",
                      ExitCode::requeue);
    std::fprintf(stderr, "tessera: %s\n", error.what());
}

/// Ends this process although one of its threads hangs; the exit code ends the whole run. No
/// destructor runs and MPI is not called. Records that were appended to journals stay.
[[noreturn]] inline void end_stuck_process() { _exit(static_cast<int>(ExitCode::requeue)); }

}  // namespace tessera
