// What the program prints. Names and texts of files within it may hold anything: they must not steer
// the terminal of whoever reads it.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

namespace tessera {

/// Length of the character that `text` begins with, as UTF-8; 0 where it begins with none, or with
/// a control character (C0, DEL or C1).
inline std::size_t printable_length(std::string_view text) {
    const auto byte = [&](std::size_t i) -> unsigned {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
    };
    const unsigned first = byte(0);
    if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
    if (first < 0xc2 || first > 0xf4) return 0;
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    // The second byte's range leaves out C1, forms that are too long, surrogates, what is beyond.
    const unsigned low = first == 0xc2 || first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    const unsigned high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (byte(1) < low || byte(1) > high) return 0;
    for (std::size_t i = 2; i < length; ++i)
        if ((byte(i) & 0xc0) != 0x80) return 0;
    return length;
}

/// The text with every control character and every byte that is no UTF-8 written as \x1b. Line
/// breaks stay where `many_lines`.
inline std::string printable(std::string_view text, bool many_lines = false) {
    constexpr const char* digits = "0123456789abcdef";
    std::string shown;
    shown.reserve(text.size());
    while (!text.empty()) {
        std::size_t length = printable_length(text);
        if (length > 0 || (many_lines && text[0] == '\n')) {
            length = length > 0 ? length : 1;
            shown += text.substr(0, length);
        } else {
            const auto byte = static_cast<unsigned char>(text[0]);
            shown += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
            length = 1;
        }
        text.remove_prefix(length);
    }
    return shown;
}

/// The errno of the first print that failed on stdout; 0 where none has.
inline int stdout_failure = 0;

inline void note_stdout(bool fine) {
    if (!fine && stdout_failure == 0) stdout_failure = errno != 0 ? errno : EIO;
}

/// Prints lines as they are laid out.
inline void print_text(std::FILE* stream, std::string_view text) {
    const std::string shown = printable(text, true);
    errno = 0;
    const bool fine = std::fwrite(shown.data(), 1, shown.size(), stream) == shown.size();
    if (stream == stdout) note_stdout(fine);
}

/// Prints one line, whatever is in it.
inline void print_line(std::FILE* stream, std::string_view line) {
    print_text(stream, printable(line) + "\n");
}

/// Why what was printed to stdout has not arrived; empty where it has.
inline std::string why_not_printed() {
    errno = 0;
    note_stdout(std::fflush(stdout) == 0);
    note_stdout(std::ferror(stdout) == 0);
    return stdout_failure == 0 ? "" : std::strerror(stdout_failure);
}

}  // namespace tessera
