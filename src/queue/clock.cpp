#include "queue/clock.hpp"

#include <fmt/format.h>
#include <time.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "core/error.hpp"
#include "io/text/one_line.hpp"

namespace tessera::queue {

namespace {

/// -1 if the text is no such time.
double from_now(const std::string& text) {
    constexpr double longest = 1e10;  // s
    char* end = nullptr;
    const double number = std::strtod(text.c_str() + 1, &end);
    const std::string_view unit(end);
    const double factor = unit == "s"   ? 1
                          : unit == "m" ? 60
                          : unit == "h" ? 3600
                          : unit == "d" ? 86400
                                        : 0;
    const double seconds = number * factor;
    return end != text.c_str() + 1 && factor > 0 && seconds >= 0 && seconds < longest ? seconds
                                                                                      : -1;
}

}  // namespace

double read_time(const std::string& text, double now) {
    if (text.starts_with('+') && from_now(text) >= 0) return now + from_now(text);
    for (const char* form :
         {"%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M"}) {
        struct tm parts = {};
        parts.tm_isdst = -1;
        const char* end = strptime(text.c_str(), form, &parts);
        if (!end || *end != '\0') continue;
        const int day = parts.tm_mday;
        const time_t found = mktime(&parts);
        if (found != -1 && parts.tm_mday == day) return static_cast<double>(found);
    }
    throw Error("'" + io::one_line(text, 40) + "' is not a time", "--deadline",
                "give a date and a time such as '2026-11-27 08:00', or a time from now on such as "
                "+2h (s, m, h or d)");
}

std::string time_text(double seconds) {
    const auto whole = static_cast<time_t>(seconds);
    struct tm parts = {};
    localtime_r(&whole, &parts);
    std::array<char, 32> text{};
    strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &parts);
    return text.data();
}

std::string duration_text(double seconds) {
    const auto whole = static_cast<long long>(std::llround(seconds));
    if (whole < 60) return fmt::format("{}s", whole);
    if (whole < 3600) return fmt::format("{}m {:02}s", whole / 60, whole % 60);
    if (whole < 86400) return fmt::format("{}h {:02}m", whole / 3600, whole / 60 % 60);
    return fmt::format("{}d {:02}h", whole / 86400, whole / 3600 % 24);
}

}  // namespace tessera::queue
