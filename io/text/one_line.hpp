// Text of a user's file within a message: one line, printable, not too long.
#pragma once

#include <string>
#include <string_view>

namespace tessera::io {

/// Other characters than printable ASCII become blanks; what exceeds `longest` is cut off with "...".
inline std::string one_line(std::string_view text, std::size_t longest = 80) {
    std::string line(text.substr(0, longest));
    for (char& c : line)
        if (c < ' ' || c > '~') c = ' ';
    if (text.size() > longest) line += "...";
    return line;
}

}  // namespace tessera::io
