// Stars in tables of text: CSV, TSV and ECSV with named columns, and l b r without a header.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "io/streams/stream_model.hpp"
#include "io/text/text_scanner.hpp"

namespace tessera::io {

/// The stars of a table. Its first line that is no comment has the names of its columns
/// (find_star_columns() of star_columns.hpp), or the numbers l b r of the first star. Fields are
/// separated by commas, tabs, semicolons or blanks, and may be in double quotes. Returns nothing
/// for a text whose first line is neither. Throws Error that names file and line.
std::optional<std::vector<Star>> parse_star_table(const TextSource& source,
                                                  std::span<const Observable> observables = {});

}  // namespace tessera::io
