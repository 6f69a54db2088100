#include "io/text/toml_depth.hpp"

#include <algorithm>

namespace tessera::io {

namespace {

constexpr int most_brackets = 32;  ///< open brackets; toml++ itself stops at 256
constexpr int most_dots = 32;      ///< in a key; a number or a date has one at most

/// The position after the string that begins at `at`. An unterminated string, which is an error,
/// ends at the end of its line or of the text.
std::size_t behind_string(std::string_view text, std::size_t at) {
    const char quote = text[at];
    const std::string_view three = quote == '"' ? "\"\"\"" : "'''";
    const bool many_lines = text.substr(at).starts_with(three);
    for (at += many_lines ? 3 : 1; at < text.size(); ++at) {
        if (text[at] == '\\' && quote == '"') {
            ++at;
        } else if (!many_lines && (text[at] == quote || text[at] == '\n')) {
            return text[at] == quote ? at + 1 : at;
        } else if (many_lines && text.substr(at).starts_with(three)) {
            at += 3;  // up to two quotes before the closing ones belong to the string
            for (int more = 0; more < 2 && at < text.size() && text[at] == quote; ++more) ++at;
            return at;
        }
    }
    return text.size();
}

bool ends_key(char c) { return std::string_view("[]{}=,\n#").find(c) != std::string_view::npos; }

}  // namespace

int line_too_deep(std::string_view text) {
    int brackets = 0, dots = 0;
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (c == '"' || c == '\'') {
            at = behind_string(text, at);
            continue;
        }
        if (c == '#') at = std::min(text.find('\n', at), text.size() - 1);
        if (c == '[' || c == '{') ++brackets;
        if ((c == ']' || c == '}') && brackets > 0) --brackets;
        dots = c == '.' ? dots + 1 : ends_key(c) ? 0 : dots;
        if (brackets > most_brackets || dots > most_dots)
            return 1 + static_cast<int>(std::count(text.begin(), text.begin() + at, '\n'));
        ++at;
    }
    return 0;
}

}  // namespace tessera::io
