// Words of a command line as text.
#pragma once

#include <string>

namespace tessera::io {

/// The word as one types it for a shell: in quotes if it holds more than letters, digits and
/// harmless signs.
inline std::string shell_word(const std::string& word) {
    constexpr const char* plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+=:,@%";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

}  // namespace tessera::io
