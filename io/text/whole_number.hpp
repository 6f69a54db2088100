// Numbers that count something, in words of a user.
#pragma once

#include <charconv>
#include <cstddef>
#include <string_view>

namespace tessera::io {

/// A whole number from 1, or 0 if the text is anything else.
inline std::size_t whole_number(std::string_view text) {
    std::size_t number = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    return code == std::errc() && end == text.data() + text.size() ? number : 0;
}

}  // namespace tessera::io
