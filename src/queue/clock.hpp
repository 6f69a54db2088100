// Times of the queue: seconds since 1970.
#pragma once

#include <chrono>
#include <string>

namespace tessera::queue {

inline double seconds_now() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

/// Reads "2026-11-27 08:00" (local time, also with T and with seconds) or a time from `now` on such
/// as +90s, +30m, +2h or +3d. Throws Error.
double read_time(const std::string& text, double now);

/// "2026-11-27 08:00:00" in local time.
std::string time_text(double seconds);

/// A length of time in two units at most, such as "2h 05m".
std::string duration_text(double seconds);

}  // namespace tessera::queue
