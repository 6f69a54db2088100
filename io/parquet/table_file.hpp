// A table of the program as a Parquet file.
#pragma once

#include <string>

#include "io/text/value_table.hpp"

namespace tessera::io {

/// Hands on the whole file. Whole numbers become int64, real numbers double, texts UTF-8; bytes
/// that are not UTF-8 become U+FFFD. A cell with nothing or NaN is null. Infinite numbers stay.
/// `version` is that of the program.
void write_parquet(const ValueTable& table, const std::string& version, const TextSink& sink);

/// Whether a file is one that write_parquet() made, of any version.
bool is_parquet_table(const std::string& path);

}  // namespace tessera::io
