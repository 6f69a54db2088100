// Reads lists and numbers from the command line.
#pragma once

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::orbitals {

/// The pieces between commas, without the blanks around them.
inline std::vector<std::string> split_list(const std::string& text) {
    std::vector<std::string> pieces;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        std::string piece = text.substr(begin, end - begin);
        while (!piece.empty() && piece.back() == ' ') piece.pop_back();
        while (!piece.empty() && piece.front() == ' ') piece.erase(0, 1);
        pieces.push_back(std::move(piece));
        begin = end + 1;
    }
    return pieces;
}

inline std::string lower_case(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

/// The text as a finite number. Nothing if it is anything else.
inline std::optional<double> real_number(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || code != std::errc() || end != text.data() + text.size() ||
        !std::isfinite(value))
        return std::nullopt;
    return value;
}

}  // namespace tessera::orbitals
