#include "io/text/fixed_point.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace tessera::io {

namespace {

/// Rounds magnitude * 10^decimals to a whole number. Returns false if the product is too near to a
/// half, where its own rounding may decide, or too large.
bool round_scaled(double magnitude, int decimals, std::uint64_t& rounded) {
    constexpr std::array<double, 4> scales{1, 10, 100, 1000};
    constexpr double largest = 1e6, doubtful = 1e-6;  // the product is off by less than 2e-7
    if (decimals < 0 || decimals >= static_cast<int>(scales.size()) || !(magnitude < largest))
        return false;
    const double scaled = magnitude * scales[static_cast<std::size_t>(decimals)];
    const double whole = std::floor(scaled), rest = scaled - whole;
    if (std::abs(rest - 0.5) < doubtful) return false;
    rounded = static_cast<std::uint64_t>(whole) + (rest > 0.5 ? 1 : 0);
    return true;
}

}  // namespace

void append_fixed(std::string& text, double value, int decimals) {
    std::array<char, 400> digits;  // the longest double has 309 before the point
    char* const end = digits.data() + digits.size();
    std::uint64_t rounded = 0;
    if (!round_scaled(std::abs(value), decimals, rounded)) {
        const auto exact =
            std::to_chars(digits.data(), end, value, std::chars_format::fixed, decimals);
        text.append(digits.data(), exact.ptr);
        return;
    }
    char* first = end;
    for (int i = 0; i < decimals; ++i, rounded /= 10)
        *--first = static_cast<char>('0' + rounded % 10);
    if (decimals > 0) *--first = '.';
    do *--first = static_cast<char>('0' + rounded % 10);
    while ((rounded /= 10) > 0);
    if (std::signbit(value)) *--first = '-';
    text.append(first, end);
}

void append_whole(std::string& text, long value) {
    std::array<char, 24> digits;
    const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    text.append(digits.data(), written.ptr);
}

}  // namespace tessera::io
