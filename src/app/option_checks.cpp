#include "app/option_checks.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>

#include "io/text/one_line.hpp"

namespace tessera::app {

namespace {

/// `help` is shown by --help.
CLI::Validator number_within(double low, double high, const char* wanted, const char* help) {
    const auto check = [low, high, wanted](std::string& text) -> std::string {
        char* end = nullptr;
        const double value = std::strtod(text.c_str(), &end);
        const bool is_number = !text.empty() && end == text.c_str() + text.size();
        if (is_number && value >= low && value <= high) return "";
        return fmt::format("'{}' is not a number {}, at most {}", io::one_line(text, 40), wanted,
                           high);
    };
    return {check, help};
}

}  // namespace

std::string not_whole_number(const std::string& text, std::uint64_t low, std::uint64_t high) {
    errno = 0;
    char* end = nullptr;
    // Base 0 as in CLI11, which reads 0x10 as 16.
    const std::uint64_t value = std::strtoull(text.c_str(), &end, 0);
    const bool is_number =
        !text.empty() && text.find('-') == std::string::npos && end == text.c_str() + text.size();
    const bool too_large = is_number && (errno == ERANGE || value > high);
    if (is_number && !too_large && value >= low) return "";
    const std::string wanted =
        too_large ? fmt::format("from {} to {}", low, high) : fmt::format("from {} on", low);
    return fmt::format("'{}' is not a whole number {}", io::one_line(text, 40), wanted);
}

CLI::Validator number_from_0(double high) { return number_within(0, high, "from 0", ""); }

CLI::Validator number_above_0(double high) {
    constexpr double least = 1e-30;  // smaller numbers vanish in single precision
    return number_within(least, high, "above 0", "above 0");
}

CLI::Validator not_empty(const std::string& what) {
    const auto check = [what](std::string& text) {
        return text.empty() ? "'' is not " + what : std::string();
    };
    return {check, ""};
}

}  // namespace tessera::app
