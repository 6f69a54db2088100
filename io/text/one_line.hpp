// Text from a user's file for use in a message: one printable line of limited length.
#pragma once

#include <string>
#include <string_view>

namespace tessera::io {

/// Characters other than printable ASCII become blanks. Text beyond `longest` is cut off with
/// "...".
inline std::string one_line(std::string_view text, std::size_t longest = 80) {
    std::string line(text.substr(0, longest));
    for (char& c : line)
        if (c < ' ' || c > '~') c = ' ';
    if (text.size() > longest) line += "...";
    return line;
}

}  // namespace tessera::io
