// The lines of a text, one after another.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace tessera::io {

/// Numbers lines from 1. A '\r' before the end of a line belongs to the line.
class TextLines {
  public:
    explicit TextLines(std::string_view text) : rest_(text) {}

    /// False at the end of the text.
    bool next(std::string& line) {
        if (rest_.empty()) return false;
        const std::size_t end = std::min(rest_.find('\n'), rest_.size());
        line = rest_.substr(0, end);
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        ++number_;
        return true;
    }
    /// The number of the line that next() returned last.
    int number() const { return number_; }

  private:
    std::string_view rest_;
    int number_ = 0;
};

}  // namespace tessera::io
