// Comma-separated tables of the data folder and of users. Blank lines and lines that begin with #
// are skipped. A field that contains commas is in double quotes.
#pragma once

#include <string>
#include <vector>

#include "io/text/text_scanner.hpp"

namespace tessera::io {

struct CsvRow {
    int line = 0;                     ///< in the file, from 1
    std::vector<std::string> fields;  ///< without surrounding blanks
};

/// The text of a table. Throws Error if the file cannot be read.
TextSource read_csv_text(const std::string& path);

/// The rows, including the header. Throws Error if there are none.
std::vector<CsvRow> parse_csv_table(const TextSource& source);

/// What to do with a table whose fields are separated by semicolons.
inline constexpr const char* commas_for_semicolons =
    "separate them by commas, and write 2.5 for 2,5: sed 's/,/./g; s/;/,/g' OLD > NEW";

/// The fields of a row, which blanks may separate as well as commas.
std::vector<std::string> csv_words(const CsvRow& row);

/// The number in a field. Throws Error with file, line and field if it is not a finite number.
double csv_number(const CsvRow& row, std::size_t field, const std::string& path);

/// The text as a field of a CSV table: printable, never a formula, and quoted if necessary.
std::string csv_field(const std::string& text);

}  // namespace tessera::io
