// Reads tokens of a large text without copies or streams. Errors name the file and the line.
#pragma once

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>

#include "core/error.hpp"

namespace tessera::io {

struct TextSource {
    std::string path;
    std::string text;
    const char* noun = "wavefunction";  ///< its name in messages
    std::string sha256 = {};            ///< of the file's bytes; empty if there is no file
    bool has_lines = true;              ///< false: messages name the file only
};

/// Reads a part of a source from front to back. Blanks are ' ', '\t' and '\r', so CRLF needs no
/// special care. Reading a word or a number never crosses the end of a line.
class TextScanner {
  public:
    explicit TextScanner(const TextSource& source) : TextScanner(source, source.text) {}
    TextScanner(const TextSource& source, std::string_view part)
        : source_(&source), at_(part.data()), end_(part.data() + part.size()) {}

    bool at_end() const { return at_ == end_; }
    const char* position() const { return at_; }

    void skip_blanks() {
        while (at_ != end_ && is_blank(*at_)) ++at_;
    }
    /// True if only blanks are left in the line.
    bool line_is_over() {
        skip_blanks();
        return at_ == end_ || *at_ == '\n';
    }
    void next_line() {
        at_ = at_ == end_ ? end_ : static_cast<const char*>(std::memchr(at_, '\n', left()));
        at_ = at_ == nullptr ? end_ : std::min(at_ + 1, end_);
    }
    /// Moves to the first line that is not blank, which may be this one.
    void skip_empty_lines() {
        while (line_is_over() && at_ != end_) ++at_;
    }
    /// The first character of the next word, or '\n' at the end of the line.
    char peek() { return line_is_over() ? '\n' : *at_; }

    /// The text up to the next blank; empty at the end of the line.
    std::string_view word() {
        skip_blanks();
        const char* const start = at_;
        while (at_ != end_ && !is_blank(*at_) && *at_ != '\n') ++at_;
        return {start, static_cast<std::size_t>(at_ - start)};
    }
    /// Returns the rest of the line, trimmed, and moves to the next line.
    std::string_view rest_of_line() {
        skip_blanks();
        const char* const start = at_;
        next_line();
        const char* last = at_;
        while (last != start && (is_blank(last[-1]) || last[-1] == '\n')) --last;
        return {start, static_cast<std::size_t>(last - start)};
    }

    bool integer(int& value) {
        skip_blanks();
        const char* const start = at_ != end_ && *at_ == '+' ? at_ + 1 : at_;
        const auto [next, status] = std::from_chars(start, end_, value);
        if (status != std::errc{} || !word_ends(next)) return false;
        at_ = next;
        return true;
    }
    /// Reads a finite number, also with a Fortran exponent (1.5D-03, 1.5-103). Underflow gives 0.
    /// If there is no number, the scanner does not move.
    bool number(double& value) {
        skip_blanks();
        const auto [next, status] = std::from_chars(at_, end_, value);
        if (status != std::errc{} || !word_ends(next)) return fortran_number(value);
        if (!std::isfinite(value)) return false;
        at_ = next;
        return true;
    }

    /// "PATH:LINE" of the scanner's position, or of `where` in the same text.
    std::string place() const { return place(at_); }
    std::string place(const char* where) const {
        const char* const begin = source_->text.data();
        if (!source_->has_lines) return source_->path;
        return source_->path + ":" + std::to_string(1 + std::count(begin, where, '\n'));
    }
    [[noreturn]] void fail(const std::string& why, const std::string& what_to_do) const {
        fail_at(at_, why, what_to_do);
    }
    [[noreturn]] void fail_at(const char* where, const std::string& why,
                              const std::string& what_to_do) const {
        throw Error("cannot read " + std::string(source_->noun) + " '" + place(where) + "'", why,
                    what_to_do);
    }

  private:
    static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
    std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
    bool word_ends(const char* where) const {
        return where == end_ || is_blank(*where) || *where == '\n';
    }

    // The rare forms: a plus sign, D or nothing instead of E, or a value out of range. Does not
    // move if it fails.
    bool fortran_number(double& value) {
        const char* const start = at_;
        const std::string_view text = word();
        std::string number;
        for (const char c : text) {
            const bool digit_before =
                !number.empty() && (std::isdigit(number.back()) || number.back() == '.');
            const bool exponent_letter = c == 'D' || c == 'd' || c == 'E' || c == 'e';
            if (exponent_letter)
                number += 'e';
            else if ((c == '+' || c == '-') && digit_before)
                number += {'e', c};
            else if (c != '+' || !number.empty())
                number += c;
        }
        const std::size_t sign = number.find("e+");
        if (sign != std::string::npos) number.erase(sign + 1, 1);
        const auto [next, status] =
            std::from_chars(number.data(), number.data() + number.size(), value);
        const bool underflow =
            status == std::errc::result_out_of_range && number.find("e-") != std::string::npos;
        if (underflow) value = 0;
        const bool whole = next == number.data() + number.size() && !number.empty();
        if (whole && (underflow || (status == std::errc{} && std::isfinite(value)))) return true;
        at_ = start;
        return false;
    }

    const TextSource* source_;
    const char* at_;
    const char* end_;
};

}  // namespace tessera::io
