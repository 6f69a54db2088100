// Comma-separated tables of the data folder and of users. Lines that are blank or begin with # are
// skipped; a field that holds commas stands in double quotes.
#pragma once

#include <string>
#include <vector>

#include "io/text/text_scanner.hpp"

namespace tessera::io {

struct CsvRow {
    int line = 0;                     ///< in the file, from 1
    std::vector<std::string> fields;  ///< without the blanks around them
};

/// The text of a table. Throws Error where the file cannot be read.
TextSource read_csv_text(const std::string& path);

/// Its rows including the header. Throws Error where there are none.
std::vector<CsvRow> parse_csv_table(const TextSource& source);

/// The two in one.
std::vector<CsvRow> read_csv_table(const std::string& path);

/// The number in a field. Throws Error naming file, line and field where it is none, or not finite.
double csv_number(const CsvRow& row, std::size_t field, const std::string& path);

/// A field of a CSV table: printable, no formula, in quotes where it must be.
std::string csv_field(const std::string& text);

}  // namespace tessera::io
