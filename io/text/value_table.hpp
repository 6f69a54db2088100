// A table for other programs, as comma-separated values or as JSON. As Parquet:
// io/parquet/table_file.hpp.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tessera::io {

/// Nothing, a text, a whole number or a real number.
using Cell = std::variant<std::monostate, std::string, std::int64_t, double>;

struct TableColumn {
    enum class Kind { text, whole, real };  ///< of its cells
    std::string name;
    Kind kind = Kind::real;
    std::string units = {};  ///< none if empty
    bool optional = false;   ///< may have cells with nothing or NaN
};

/// The rows are made one at a time, because a table may have millions of them.
struct ValueTable {
    std::vector<TableColumn> columns;
    std::int64_t rows = 0;
    std::function<std::vector<Cell>(std::int64_t row)> row;  ///< has a cell for each column
};

using TextSink = std::function<void(std::string_view text)>;

/// Writes a header line and a line for each row. Real numbers have all their digits. A cell with
/// nothing or NaN is empty. Texts are written by csv_field().
void write_csv(const ValueTable& table, const TextSink& sink);

/// Writes a list with an object for each row, in ASCII characters. A cell with nothing, NaN or an
/// infinite number is null.
void write_json(const ValueTable& table, const TextSink& sink);

/// How the CSV of a table begins that has these columns first, by which an export is recognised.
std::string csv_beginning(const std::vector<std::string>& columns);
/// The same for its JSON.
std::string json_beginning(const std::string& first_column);

}  // namespace tessera::io
