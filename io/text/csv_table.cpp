#include "io/text/csv_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include "core/error.hpp"
#include "core/terminal.hpp"
#include "io/text/one_line.hpp"
#include "io/text/text_file.hpp"
#include "io/text/text_lines.hpp"

namespace tessera::io {
namespace {

/// The limit allows a table of some 500,000 pairs.
constexpr InputKind csv_table{"table", "give a CSV file", std::size_t{64} << 20,
                              "give several smaller tables"};
constexpr std::size_t most_rows = std::size_t{1} << 20, most_fields = 8 * most_rows;

std::string without_blanks(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// Returns the field that begins at `at` and moves `at` behind the next comma. A quoted field may
/// contain commas, and quotes that are written twice.
std::string next_field(const std::string& line, std::size_t& at) {
    const std::size_t first = line.find_first_not_of(" \t", at);
    if (first == std::string::npos || line[first] != '"') {
        const std::size_t begin = at, comma = std::min(line.find(',', at), line.size());
        at = comma + 1;
        return without_blanks(line.substr(begin, comma - begin));
    }
    std::string field;
    std::size_t i = first + 1;
    for (; i < line.size(); ++i) {
        if (line[i] == '"') {
            ++i;
            if (i == line.size() || line[i] != '"') break;
        }
        field += line[i];
    }
    at = std::min(line.find(',', i), line.size()) + 1;
    return without_blanks(field);
}

/// The largest possible number of fields. A field may take one byte in the file, but takes many in
/// memory.
std::size_t most_fields_in(const std::string& line) {
    return 1 + static_cast<std::size_t>(std::ranges::count(line, ','));
}

/// Throws Error if semicolons separate the fields of the first row, as in tables of spreadsheets
/// where a comma is the decimal sign.
void require_commas(const CsvRow& row, const std::string& path) {
    if (row.fields.size() > 1 || row.fields[0].find(';') == std::string::npos) return;
    throw Error("cannot read table '" + path + "'",
                "line " + std::to_string(row.line) + ": semicolons separate its fields",
                commas_for_semicolons);
}

std::vector<std::string> split(const std::string& line) {
    std::vector<std::string> fields;
    for (std::size_t at = 0; at <= line.size();) fields.push_back(next_field(line, at));
    return fields;
}

}  // namespace

TextSource read_csv_text(const std::string& path) { return read_text_file(path, csv_table); }

std::vector<CsvRow> parse_csv_table(const TextSource& source) {
    const std::string problem = "cannot read table '" + source.path + "'";
    std::vector<CsvRow> rows;
    TextLines lines(source.text);
    std::size_t fields = 0;
    for (std::string text; lines.next(text);) {
        const std::string content = without_blanks(text);
        if (content.find('\0') != std::string::npos)
            throw Error(problem, "it is binary, not text", csv_table.wanted);
        if (content.empty() || content.front() == '#') continue;
        fields += most_fields_in(content);
        if (rows.size() == most_rows || fields > most_fields)
            throw Error(problem,
                        "line " + std::to_string(lines.number()) + ": more than " +
                            std::to_string(most_rows) + " rows, or eight times as many fields",
                        csv_table.when_larger);
        rows.push_back({lines.number(), split(content)});
        if (rows.size() == 1) require_commas(rows.front(), source.path);
    }
    if (rows.empty()) throw Error(problem, "it has no rows", "give a CSV file with a header line");
    return rows;
}

std::vector<std::string> csv_words(const CsvRow& row) {
    std::vector<std::string> words;
    for (const std::string& field : row.fields) {
        std::istringstream text(field);
        for (std::string word; text >> word;) words.push_back(word);
    }
    return words;
}

double csv_number(const CsvRow& row, std::size_t field, const std::string& path) {
    const std::string& text = row.fields.at(field);
    const char* const begin = text.data() + (text.starts_with('+') ? 1 : 0);
    const char* const end = text.data() + text.size();
    double value = 0;
    const auto parsed = std::from_chars(begin, end, value);
    if (parsed.ec != std::errc{} || parsed.ptr != end || !std::isfinite(value))
        throw Error("cannot read table '" + path + "'",
                    "line " + std::to_string(row.line) + ", field " + std::to_string(field + 1) +
                        ": '" + one_line(text, 40) + "' is not a finite number",
                    "correct it");
    return value;
}

std::string csv_field(const std::string& text) {
    std::string field = printable(text);
    if (field.find_first_of("=+-@") == 0)
        field.insert(0, "'");  // otherwise spreadsheets would evaluate it as a formula
    if (field.find_first_of(",\"") == std::string::npos) return field;
    std::string quoted = "\"";
    for (const char c : field) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

}  // namespace tessera::io
