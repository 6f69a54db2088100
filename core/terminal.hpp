// Printing. Names and texts from files may contain anything, but must not control the reader's
// terminal.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

namespace tessera {

/// The length of the UTF-8 character at the beginning of `text`, or 0 if there is none or if it is
/// a control character (C0, DEL or C1).
inline std::size_t printable_length(std::string_view text) {
    const auto byte = [&](std::size_t i) -> unsigned {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
    };
    const unsigned first = byte(0);
    if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
    if (first < 0xc2 || first > 0xf4) return 0;
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    // The range of the second byte excludes C1, overlong forms, surrogates and values beyond
    // Unicode.
    const unsigned low = first == 0xc2 || first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    const unsigned high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (byte(1) < low || byte(1) > high) return 0;
    for (std::size_t i = 2; i < length; ++i)
        if ((byte(i) & 0xc0) != 0x80) return 0;
    return length;
}

/// Returns the text with each control character and each byte that is not UTF-8 written as \x1b.
/// Line breaks stay if `many_lines` is set.
inline std::string printable(std::string_view text, bool many_lines = false) {
    constexpr const char* digits = "0123456789abcdef";
    const auto is_plain = [&](char c) {
        return (c >= 0x20 && c < 0x7f) || (many_lines && c == '\n');
    };
    std::string shown;
    shown.reserve(text.size());
    while (true) {
        const auto odd = std::ranges::find_if_not(text, is_plain);
        shown.append(text.begin(), odd);
        text.remove_prefix(static_cast<std::size_t>(odd - text.begin()));
        if (text.empty()) return shown;
        const std::size_t length = printable_length(text);
        const auto byte = static_cast<unsigned char>(text[0]);
        if (length > 0)
            shown += text.substr(0, length);
        else
            shown += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
        text.remove_prefix(length > 0 ? length : 1);
    }
}

/// The errno of the first failed print to stdout, or 0.
inline int stdout_failure = 0;

inline void note_stdout(bool fine) {
    if (!fine && stdout_failure == 0) stdout_failure = errno != 0 ? errno : EIO;
}

/// Prints text that may have several lines.
inline void print_text(std::FILE* stream, std::string_view text) {
    const std::string shown = printable(text, true);
    errno = 0;
    const bool fine = std::fwrite(shown.data(), 1, shown.size(), stream) == shown.size();
    if (stream == stdout) note_stdout(fine);
}

/// Prints one line; line breaks within it are escaped.
inline void print_line(std::FILE* stream, std::string_view line) {
    print_text(stream, printable(line) + "\n");
}

/// Returns why output to stdout has failed, or an empty text.
inline std::string why_not_printed() {
    errno = 0;
    note_stdout(std::fflush(stdout) == 0);
    note_stdout(std::ferror(stdout) == 0);
    return stdout_failure == 0 ? "" : std::strerror(stdout_failure);
}

}  // namespace tessera
