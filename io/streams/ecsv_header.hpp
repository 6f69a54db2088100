// The header of an ECSV table, as astropy writes it: YAML in comments.
// https://github.com/astropy/astropy-APEs/blob/main/APE6.rst
#pragma once

#include <vector>

#include "io/streams/star_columns.hpp"
#include "io/text/text_scanner.hpp"

namespace tessera::io {

struct EcsvHeader {
    char delimiter = ' ';
    std::vector<StarTableColumn> columns;
};

/// Whether a text begins as an ECSV table.
bool is_ecsv(const std::string& text);

/// Reads the comments and moves to the line behind them, which holds the names again. Of the YAML
/// it understands `delimiter` and the name and unit of each entry of `datatype`. Throws Error if
/// there are no columns.
EcsvHeader read_ecsv_header(TextScanner& scanner);

}  // namespace tessera::io
