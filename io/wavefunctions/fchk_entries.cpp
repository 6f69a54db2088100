#include "io/wavefunctions/fchk_entries.hpp"

#include <algorithm>
#include <cctype>
#include <type_traits>

#include "io/text/counted.hpp"
#include "io/text/one_line.hpp"

namespace tessera::io {

namespace {

constexpr std::size_t name_width = 40, type_column = 43, value_column = 44;

bool is_entry(std::string_view line) {
    return line.size() > type_column + 1 && line[0] != ' ' &&
           std::string_view("IRCHL").find(line[type_column]) != std::string_view::npos &&
           line[type_column - 1] == ' ' && line[type_column + 1] == ' ';
}

std::string trimmed(std::string_view text) {
    const std::size_t last = text.find_last_not_of(" \t\r");
    return std::string(text.substr(0, last == text.npos ? 0 : last + 1));
}

std::string_view next_line_of(std::string_view text, std::size_t& at) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = std::min(end + 1, text.size());
    return line;
}

FchkEntry parse_entry(const TextSource& source, std::string_view line, std::size_t next) {
    FchkEntry entry;
    entry.type = line[type_column];
    entry.line = line.data();
    TextScanner scanner(source, line.substr(value_column));
    const std::string_view text = source.text;
    if (scanner.peek() != 'N') {
        entry.values = line.substr(value_column);
        entry.count = 1;
        return entry;
    }
    const std::size_t equals = line.find('=', value_column);
    entry.is_array = true;
    TextScanner count(source, line.substr(std::min(equals, line.size() - 1) + 1));
    if (equals == line.npos || !count.integer(entry.count) || entry.count < 0)
        scanner.fail("the number of values of '" + trimmed(line.substr(0, name_width)) +
                         "' is missing",
                     fchk_advice);
    entry.values = text.substr(next);
    return entry;
}

bool read_value(TextScanner& scanner, int& value) { return scanner.integer(value); }
bool read_value(TextScanner& scanner, double& value) { return scanner.number(value); }

// Exponents are E+01, D-01 or -103. formchk always writes one, so a number without it was cut off.
bool has_whole_exponent(std::string_view number) {
    const std::size_t sign =
        number.find_last_not_of("0123456789");  // a sign, a letter or the point
    if (sign == number.npos || sign == 0 || number[sign] == '.') return false;
    const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0; };
    const bool has_letter = is_letter(number[sign]) || is_letter(number[sign - 1]);
    return number.size() - sign - 1 >= (has_letter ? 2 : 3);
}

// Checks the number from `start` to the position of the scanner.
void check_exponent(const TextScanner& scanner, const char* start, const std::string& name) {
    const std::string_view number(start, static_cast<std::size_t>(scanner.position() - start));
    if (has_whole_exponent(number)) return;
    scanner.fail(scanner.at_end()
                     ? "the file ends within '" + name + "'"
                     : "'" + one_line(number, 30) + "' of '" + name + "' has no complete exponent",
                 "it is truncated; copy it again");
}

}  // namespace

// Finds the lines with a name. The values between them are read only when they are needed.
FchkEntries::FchkEntries(const TextSource& source) : source_(source) {
    const std::string_view text = source_.text;
    std::size_t at = 0;
    for (int skipped = 0; skipped < 2; ++skipped) next_line_of(text, at);  // title, method
    while (at < text.size()) {
        const std::string_view line = next_line_of(text, at);
        if (!is_entry(line)) continue;
        const FchkEntry entry = parse_entry(source_, line, at);
        entries_.emplace(trimmed(line.substr(0, name_width)), entry);
    }
}

const FchkEntry* FchkEntries::find(const std::string& name) const {
    const auto place = entries_.find(name);
    return place == entries_.end() ? nullptr : &place->second;
}

std::vector<std::string> FchkEntries::between(std::string_view begin, std::string_view end) const {
    std::vector<std::string> found;
    for (const auto& [name, entry] : entries_)
        if (name.size() > begin.size() + end.size() && name.starts_with(begin) &&
            name.ends_with(end))
            found.push_back(name.substr(begin.size(), name.size() - begin.size() - end.size()));
    return found;
}

const FchkEntry& FchkEntries::needed(const std::string& name) const {
    const FchkEntry* const entry = find(name);
    if (!entry)
        throw Error("cannot read wavefunction '" + source_.path + "'",
                    "the entry '" + name + "' is missing", fchk_advice);
    return *entry;
}

int FchkEntries::scalar(const std::string& name) const {
    const FchkEntry& entry = needed(name);
    TextScanner scanner(source_, entry.values);
    int value = 0;
    if (entry.is_array || entry.type != 'I' || !scanner.integer(value) || value < 0 ||
        value > 10000000)
        scanner.fail_at(entry.line, "'" + name + "' is not a count", fchk_advice);
    return value;
}

template <class Value>
std::vector<Value> FchkEntries::array(const std::string& name, std::size_t size, int fewest) const {
    const FchkEntry& entry = needed(name);
    TextScanner scanner(source_, entry.values);
    const auto count = static_cast<std::size_t>(entry.count);
    if (!entry.is_array || entry.count < fewest || (size != 0 && count != size))
        scanner.fail_at(entry.line,
                        "'" + name + "' has " + counted(entry.count, "value") +
                            (size != 0 ? ", not " + std::to_string(size) : ""),
                        fchk_advice);
    if (count > entry.values.size())  // a value takes at least two characters
        scanner.fail_at(entry.line, "the file ends within '" + name + "'",
                        "copy or write it again");
    std::vector<Value> values(count);
    for (Value& value : values) {
        scanner.skip_empty_lines();
        if (scanner.at_end())
            scanner.fail("the file ends within '" + name + "'", "it is truncated; copy it again");
        const char* const start = scanner.position();
        if (!read_value(scanner, value))
            scanner.fail("'" + one_line(scanner.word(), 20) + "' is not a value of '" + name + "'",
                         fchk_advice);
        if (std::is_floating_point_v<Value>) check_exponent(scanner, start, name);
    }
    return values;
}

template std::vector<int> FchkEntries::array(const std::string&, std::size_t, int) const;
template std::vector<double> FchkEntries::array(const std::string&, std::size_t, int) const;

std::string fchk_title(const TextSource& source) {
    std::size_t start = 0;
    return trimmed(next_line_of(source.text, start));
}

bool has_early_fchk_entry(const TextSource& source, std::string_view name) {
    std::size_t at = 0;
    for (int i = 0; i < 20 && at < source.text.size(); ++i) {
        const std::string_view line = next_line_of(source.text, at);
        if (is_entry(line) && line.starts_with(std::string(name) + " ")) return true;
    }
    return false;
}

}  // namespace tessera::io
