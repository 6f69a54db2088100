#include "io/streams/star_file.hpp"
#include "io/files/input_file.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <sstream>

#include "core/error.hpp"
#include "io/hdf5/output_path.hpp"
#include "io/streams/star_columns.hpp"
#include "io/streams/star_fits.hpp"
#include "io/streams/star_table.hpp"
#include "io/text/counted.hpp"
#include "io/text/one_line.hpp"
#include "io/text/text_file.hpp"

namespace tessera::io {

namespace {

/// The limit: 10^8 stars, a thousand times the stars of a wedge.
constexpr InputKind star_file{
    "star file",
    "give a MilkyWay@Home star file (count, then l b r a line), or a table with columns l, b, r",
    std::size_t{8} << 30, "give one wedge's stars", fits_beginning};

const char* const correct = "correct the line, or export the stars again";

/// Reads the first line, the number of stars.
std::size_t read_count(TextScanner& scanner) {
    int count = 0;
    scanner.skip_empty_lines();
    if (!scanner.integer(count) || !scanner.line_is_over())
        scanner.fail("the first line must be only the number of stars, but is '" +
                         one_line(TextScanner(scanner).rest_of_line(), 40) + "'",
                     star_file.wanted);
    if (count < 1) scanner.fail("its number of stars is " + std::to_string(count), "give stars");
    scanner.next_line();
    return static_cast<std::size_t>(count);
}

[[noreturn]] void refuse_number(TextScanner scanner, const char* name) {
    const std::string word(scanner.word());
    scanner.fail(word.empty()
                     ? std::string("the line ends before ") + name
                     : std::string(name) + " is '" + one_line(word, 40) + "', not a finite number",
                 correct);
}

Star read_star(TextScanner& scanner) {
    Star star;
    const TextScanner start = scanner;
    if (!scanner.number(star.l)) refuse_number(scanner, "l");
    if (!scanner.number(star.b)) refuse_number(scanner, "b");
    if (!scanner.number(star.r)) refuse_number(scanner, "r");
    if (!scanner.line_is_over())
        scanner.fail("more than the three numbers l b r in a line", correct);
    if (const auto problem = problem_of(star)) start.fail(problem->why, problem->what_to_do);
    scanner.next_line();
    return star;
}

/// Whether the first line with content is one word, as the number of stars is.
bool begins_with_one_word(const TextSource& source) {
    TextScanner scanner(source);
    scanner.skip_empty_lines();
    const bool has_fields = scanner.word().find_first_of(",;") != std::string_view::npos;
    return scanner.line_is_over() && !has_fields;
}

}  // namespace

std::vector<Star> parse_stars(const TextSource& source, std::span<const Observable> observables) {
    if (source.text.starts_with(fits_beginning)) return parse_fits_stars(source, observables);
    if (!begins_with_one_word(source))
        if (auto stars = parse_star_table(source, observables)) return std::move(*stars);
    TextScanner scanner(source);
    require_no_observables(scanner, observables);
    const std::size_t count = read_count(scanner);
    std::vector<Star> stars;
    stars.reserve(std::min(count, source.text.size() / 6 + 1));  // "0 0 1\n" is the shortest star
    scanner.skip_empty_lines();
    while (!scanner.at_end() && stars.size() < count) {
        stars.push_back(read_star(scanner));
        scanner.skip_empty_lines();
    }
    if (stars.size() < count)
        scanner.fail("its first line says " + counted(count, "star") + ", but it has " +
                         std::to_string(stars.size()),
                     "copy it again, or correct its first line");
    if (!scanner.at_end())
        scanner.fail("it continues after the " + counted(count, "star") + " of its first line",
                     "correct its first line, or remove the rest");
    return stars;
}

TextSource read_star_text(const std::string& path) { return read_text_file(path, star_file); }

std::vector<Star> read_star_file(const std::string& path, std::span<const Observable> observables) {
    return parse_stars(read_star_text(path), observables);
}

namespace {

/// What the first line of a written table begins and ends with.
constexpr std::string_view table_beginning = "l,b,r,", table_end = ",component";

void append_number(std::string& text, double value) {
    char digits[32];
    text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

void append_numbers(std::string& text, std::initializer_list<double> values) {
    for (const double value : values) {
        append_number(text, value);
        text += ' ';
    }
    text.back() = '\n';
}

/// A line of a table. Values that a star lacks are empty.
void append_row(std::string& text, const Star& star, const std::vector<std::string>& columns,
                int component) {
    for (const double value : {star.l, star.b, star.r}) {
        append_number(text, value);
        text += ',';
    }
    for (std::size_t k = 0; k < columns.size(); ++k) {
        if (columns[k].empty()) continue;
        if (!std::isnan(star.observed[k])) append_number(text, star.observed[k]);
        text += ',';
    }
    text += std::to_string(component) + '\n';
}

/// Whether the line has as many digits as this program writes. Surveys give fewer.
bool has_all_digits(const std::string& line) {
    constexpr std::size_t shortest = 40;
    double l = 0, b = 0, r = 0;
    std::string again;
    if (std::sscanf(line.c_str(), "%lf %lf %lf", &l, &b, &r) != 3) return false;
    append_numbers(again, {l, b, r});
    return again == line + '\n' && line.size() >= shortest;
}

}  // namespace

bool is_written_star_file(const std::string& path) {
    std::istringstream text(beginning_of(path));
    std::string line;
    if (text.str().starts_with(table_beginning))
        return std::getline(text, line) && line.ends_with(table_end);
    if (!std::getline(text, line) || line.empty() ||
        line.find_first_not_of("0123456789") != std::string::npos)
        return false;
    int stars = 0;
    for (; std::getline(text, line) && !text.eof(); ++stars)
        if (!has_all_digits(line)) return false;
    return stars > 0;
}

StarFileWriter::StarFileWriter(const std::string& path, std::int64_t count,
                               std::vector<Observable> observables)
    : file_(path), observables_(std::move(observables)) {
    if (observables_.empty()) {
        file_.write(std::to_string(count) + "\n");
        return;
    }
    std::string names = "l,b,r";
    for (const std::string& name : column_names(observables_))
        if (!name.empty()) names += "," + name;
    file_.write(names.append(table_end) + "\n");
}

void StarFileWriter::add(std::span<const Star> stars, std::span<const int> components) {
    std::string text;
    const std::vector<std::string> columns = column_names(observables_);
    for (std::size_t s = 0; s < stars.size(); ++s)
        if (columns.empty())
            append_numbers(text, {stars[s].l, stars[s].b, stars[s].r});
        else
            append_row(text, stars[s], columns, components[s]);
    file_.write(text);
}

}  // namespace tessera::io
