#include "io/streams/ecsv_header.hpp"

#include <algorithm>
#include <string_view>

namespace tessera::io {

namespace {

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// A scalar of YAML. Quotes go, and a quote written twice becomes one.
std::string scalar(std::string_view text) {
    text = trimmed(text);
    if (text.size() < 2 || (text.front() != '\'' && text.front() != '"') ||
        text.back() != text.front())
        return std::string(text);
    const char quote = text.front();
    std::string value;
    for (std::size_t i = 1; i + 1 < text.size(); ++i) {
        value += text[i];
        if (text[i] == quote && text[i + 1] == quote && i + 2 < text.size()) ++i;
    }
    return value;
}

/// The first `separator` of a text outside quotes and brackets, or the end of the text.
std::size_t find_outside(std::string_view text, char separator) {
    char quote = 0;
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote != 0) {
            if (c == quote) quote = 0;
        } else if (c == separator && depth == 0) {
            return i;
        } else if (c == '\'' || c == '"') {
            quote = c;
        } else if (c == '{' || c == '[') {
            ++depth;
        } else if (c == '}' || c == ']') {
            --depth;
        }
    }
    return text.size();
}

/// An entry of `datatype`: {name: l, unit: deg} or the same in lines of its own.
StarTableColumn column_of(std::string_view entry) {
    entry = trimmed(entry);
    const bool flow = entry.starts_with('{');
    if (flow) entry = entry.substr(1, entry.ends_with('}') ? entry.size() - 2 : entry.size());
    StarTableColumn column;
    while (!entry.empty()) {
        const std::size_t end =
            flow ? find_outside(entry, ',') : std::min(entry.find('\n'), entry.size());
        const std::string_view pair = entry.substr(0, end);
        entry.remove_prefix(std::min(end + 1, entry.size()));
        const std::size_t colon = find_outside(pair, ':');
        if (colon == pair.size()) continue;
        const std::string key = scalar(pair.substr(0, colon));
        std::string* const wanted = key == "name"   ? &column.name
                                    : key == "unit" ? &column.unit
                                                    : nullptr;
        if (wanted && wanted->empty()) *wanted = scalar(pair.substr(colon + 1));
    }
    return column;
}

/// The lines of the YAML, one after another.
class EcsvComments {
  public:
    void take(std::string_view line) {
        const std::string_view content = trimmed(line);
        const bool top = !line.empty() && line.front() != ' ' && line.front() != '-';
        if (top) {
            finish_entry();
            const std::size_t colon = std::min(content.find(':'), content.size());
            in_columns_ = content.substr(0, colon) == "datatype";
            if (content.substr(0, colon) == "delimiter")
                delimiter_ = scalar(content.substr(std::min(colon + 1, content.size())));
        } else if (in_columns_ && content.starts_with("- ")) {
            finish_entry();
            entry_ = content.substr(2);
        } else if (in_columns_) {
            (entry_ += '\n') += content;
        }
    }
    EcsvHeader finish(const TextScanner& scanner) {
        finish_entry();
        if (header_.columns.empty())
            scanner.fail("its ECSV header describes no columns", "export the table again");
        if (!delimiter_.empty()) header_.delimiter = delimiter_.front();
        if (delimiter_.size() > 1 || (header_.delimiter != ' ' && header_.delimiter != ','))
            scanner.fail("its delimiter is neither a blank nor a comma", "export the table again");
        return std::move(header_);
    }

  private:
    void finish_entry() {
        if (!entry_.empty()) header_.columns.push_back(column_of(entry_));
        entry_.clear();
    }

    EcsvHeader header_;
    std::string entry_, delimiter_;
    bool in_columns_ = false;
};

}  // namespace

bool is_ecsv(const std::string& text) { return text.starts_with("# %ECSV"); }

EcsvHeader read_ecsv_header(TextScanner& scanner) {
    EcsvComments comments;
    scanner.next_line();  // # %ECSV 1.0
    while (scanner.peek() == '#') {
        std::string_view line = scanner.rest_of_line();
        line.remove_prefix(1);
        if (line.starts_with(' ')) line.remove_prefix(1);
        comments.take(line);
    }
    return comments.finish(scanner);
}

}  // namespace tessera::io
