#include "io/streams/star_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "io/streams/ecsv_header.hpp"
#include "io/streams/star_columns.hpp"
#include "io/text/counted.hpp"
#include "io/text/one_line.hpp"

namespace tessera::io {

namespace {

using Fields = std::vector<std::string_view>;

constexpr std::string_view blanks = " \t\r";

/// The line at the scanner, with the blanks at its ends: a tab there belongs to an empty field.
/// Moves to the next line.
std::string_view whole_line(TextScanner& scanner) {
    const char* const start = scanner.position();
    scanner.next_line();
    std::string_view line(start, static_cast<std::size_t>(scanner.position() - start));
    while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

bool is_blank(std::string_view line) { return line.find_first_not_of(blanks) == line.npos; }

/// Where the quote that closes a field stands, or the end of the line. A doubled one closes none.
std::size_t closing_quote(std::string_view line, std::size_t at) {
    for (; at < line.size(); ++at) {
        if (line[at] != '"') continue;
        if (at + 1 == line.size() || line[at + 1] != '"') return at;
        ++at;
    }
    return line.size();
}

/// Splits a line. Fields keep no blanks and no quotes around them.
void split(std::string_view line, char delimiter, Fields& fields) {
    fields.clear();
    for (std::size_t at = 0;;) {
        at = std::min(line.find_first_not_of(delimiter == '\t' ? " \r" : blanks, at), line.size());
        if (at == line.size() && delimiter == ' ') return;
        const bool quoted = at < line.size() && line[at] == '"';
        const std::size_t begin = quoted ? at + 1 : at;
        const std::size_t close = quoted ? closing_quote(line, begin) : begin;
        const std::size_t next =
            delimiter == ' ' ? line.find_first_of(blanks, close) : line.find(delimiter, close);
        const std::size_t end = quoted ? close : std::min(next, line.size());
        std::string_view field = line.substr(begin, end - begin);
        while (!field.empty() && blanks.find(field.back()) != blanks.npos) field.remove_suffix(1);
        fields.push_back(field);
        if (next == std::string_view::npos) return;
        at = next + 1;
    }
}

char delimiter_of(std::string_view line) {
    for (const char c : {',', '\t', ';'})
        if (line.find(c) != std::string_view::npos) return c;
    return ' ';
}

/// Reads the rows of a table whose header is known.
class StarRows {
  public:
    StarRows(const TextSource& source, char delimiter, std::size_t fields, StarColumns columns,
             std::span<const Observable> observables)
        : source_(source),
          delimiter_(delimiter),
          fields_(fields),
          columns_(std::move(columns)),
          observables_(observables) {}

    std::vector<Star> read(TextScanner scanner) {
        std::vector<Star> stars;
        while (!scanner.at_end()) {
            const TextScanner start = scanner;
            const std::string_view line = whole_line(scanner);
            if (!is_blank(line) && !line.starts_with('#')) stars.push_back(star_of(line, start));
        }
        if (stars.empty()) scanner.fail("it has no stars", "export the table again");
        return stars;
    }

  private:
    Star star_of(std::string_view line, const TextScanner& start) {
        split(line, delimiter_, row_);
        if (row_.size() != fields_)
            start.fail(
                fmt::format("the line has {}, not {}", counted(row_.size(), "field"), fields_),
                "correct the line, or export the stars again");
        std::array<double, 3> values{};
        for (std::size_t k = 0; k < 3; ++k) {
            const std::string_view field = row_[columns_.index[k]];
            TextScanner number(source_, field);
            if (!number.number(values[k]) || !number.line_is_over())
                start.fail(fmt::format("{} is '{}', not a finite number",
                                       std::string_view("lbr").substr(k, 1),
                                       one_line(std::string(field), 40)),
                           "correct the line, or leave it out");
        }
        Star star = columns_.star(values);
        star.observed.reserve(columns_.observed.size());
        for (const auto& column : columns_.observed)
            star.observed.push_back(column ? observed(row_[*column], start) : 0);
        if (const auto problem = problem_of(star, observables_))
            start.fail(problem->why, problem->what_to_do);
        return star;
    }

    /// A number, or NaN if there is none.
    double observed(std::string_view field, const TextScanner& start) const {
        if (field.empty() || field == "nan" || field == "NaN" || field == "null")
            return std::numeric_limits<double>::quiet_NaN();
        double value = 0;
        TextScanner number(source_, field);
        if (!number.number(value) || !number.line_is_over())
            start.fail(
                fmt::format("a field is '{}', not a number", one_line(std::string(field), 40)),
                "correct the line, or leave the field empty");
        return value;
    }

    const TextSource& source_;
    char delimiter_;
    std::size_t fields_;
    StarColumns columns_;
    std::span<const Observable> observables_;
    Fields row_;
};

std::vector<StarTableColumn> named(const Fields& fields) {
    std::vector<StarTableColumn> columns;
    for (const std::string_view field : fields) columns.push_back({std::string(field)});
    return columns;
}

bool is_number(const TextSource& source, std::string_view field) {
    double value = 0;
    TextScanner scanner(source, field);
    return scanner.number(value) && scanner.line_is_over();
}

std::vector<Star> parse_ecsv(const TextSource& source, std::span<const Observable> observables) {
    TextScanner scanner(source);
    const EcsvHeader header = read_ecsv_header(scanner);
    const TextScanner start = scanner;
    Fields names;
    split(whole_line(scanner), header.delimiter, names);
    const auto same = [](const StarTableColumn& column, std::string_view name) {
        return column.name == name;
    };
    if (!std::ranges::equal(header.columns, names, same))
        start.fail("the line with the names of the columns does not agree with the ECSV header",
                   "export the table again");
    StarProblem problem;
    const auto columns = find_star_columns(header.columns, observables, problem);
    if (!columns) start.fail(problem.why, problem.what_to_do);
    return StarRows(source, header.delimiter, names.size(), *columns, observables).read(scanner);
}

}  // namespace

std::optional<std::vector<Star>> parse_star_table(const TextSource& source,
                                                  std::span<const Observable> observables) {
    if (is_ecsv(source.text)) return parse_ecsv(source, observables);
    TextScanner scanner(source);
    StarProblem problem;
    Fields fields;
    while (!scanner.at_end()) {
        const TextScanner start = scanner;
        std::string_view line = whole_line(scanner);
        if (is_blank(line)) continue;
        const bool comment = line.starts_with('#');
        if (comment) line.remove_prefix(1);
        const char delimiter = delimiter_of(line);
        split(line, delimiter, fields);
        const auto columns = find_star_columns(named(fields), observables, problem);
        if (columns)
            return StarRows(source, delimiter, fields.size(), *columns, observables).read(scanner);
        if (comment) continue;
        if (fields.size() < 2) return std::nullopt;
        const auto numbers = std::ranges::count_if(
            fields, [&](const auto& field) { return is_number(source, field); });
        if (numbers == 0) start.fail(problem.why, problem.what_to_do);
        if (fields.size() < 3) return std::nullopt;
        if (fields.size() > 3)
            start.fail(fmt::format("the first line has {} fields and no names", fields.size()),
                       "add a first line that names the columns, or leave only l b r");
        require_no_observables(start, observables);
        return StarRows(source, delimiter, 3, {{0, 1, 2}, {1, 1, 1}}, {}).read(start);
    }
    return std::nullopt;
}

}  // namespace tessera::io
