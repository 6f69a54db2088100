// How long a tile may take before it is believed to be stuck, and the end of a run that is.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <string>

#include "core/error.hpp"

namespace tessera {

/// Seconds are those of a clock that stands still while the machine is suspended.
struct TileDeadline {
    double factor = 0;   ///< of the usual time of the rank's own tiles; 0: no tile is ever late
    double least = 300;  ///< no tile is late before
    double stuck_after = 300;  ///< a run in which nothing moves but late tiles may go on so long

    bool is_on() const { return factor > 0; }
};

/// How long one rank's tiles take: its own alone, for others may be of another kind.
class TileTimes {
  public:
    void add(double seconds) { last_[count_++ % last_.size()] = seconds; }

    /// The median of the last ones; 0 while there are too few to tell.
    double usual() const {
        if (count_ < enough) return 0;
        auto sorted = last_;
        const auto end = sorted.begin() + static_cast<std::ptrdiff_t>(std::min(count_, kept));
        const auto middle = sorted.begin() + (end - sorted.begin()) / 2;
        std::nth_element(sorted.begin(), middle, end);
        return *middle;
    }

    /// When the next tile is late, in seconds after it has begun; with a deadline that is on. A rank's first
    /// tiles may load kernels and make plans, and nothing is known of them.
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

/// The line that a run leaves which is stuck.
inline void say_stuck(const std::string& what, double seconds) {
    const Error error(what + " is stuck",
                      "it has not come back for " + std::to_string(static_cast<long>(seconds)) +
                          " s",
                      "start the same command again, it goes on with what is done; if it happens "
                      "there again, look at that machine's device and disks",
                      ExitCode::requeue);
    std::fprintf(stderr, "tessera: %s\n", error.what());
}

/// Ends this process, and by its exit code the whole run, though a thread of it hangs: nothing is
/// destroyed, and MPI is not asked. What was appended to journals stays.
[[noreturn]] inline void end_stuck_process() { _exit(static_cast<int>(ExitCode::requeue)); }

}  // namespace tessera
