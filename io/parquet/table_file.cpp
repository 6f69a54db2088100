#include "io/parquet/table_file.hpp"

#include <cmath>
#include <type_traits>

#include <nlohmann/json.hpp>

#include "io/files/input_file.hpp"
#include "io/parquet/parquet_writer.hpp"

namespace tessera::io {

namespace {

using parquet::Value;

/// The beginning of FileMetaData::created_by.
constexpr const char* program = "tessera version ";

std::vector<parquet::Column> columns_of(const ValueTable& table) {
    const auto type_of = [](TableColumn::Kind kind) {
        return kind == TableColumn::Kind::text    ? parquet::Type::text
               : kind == TableColumn::Kind::whole ? parquet::Type::int64
                                                  : parquet::Type::real64;
    };
    std::vector<parquet::Column> columns;
    columns.reserve(table.columns.size());
    for (const TableColumn& column : table.columns)
        columns.push_back({column.name, type_of(column.kind), column.optional, column.units});
    return columns;
}

/// As the JSON of the table has it.
std::string utf8_of(const std::string& text) {
    using Json = nlohmann::json;
    return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace))
        .get<std::string>();
}

Value value_of(const Cell& cell) {
    return std::visit(
        [](const auto& one) -> Value {
            using Kind = std::decay_t<decltype(one)>;
            if constexpr (std::is_same_v<Kind, std::string>) return utf8_of(one);
            if constexpr (std::is_same_v<Kind, double>)
                if (std::isnan(one)) return {};
            return one;
        },
        cell);
}

}  // namespace

void write_parquet(const ValueTable& table, const std::string& version, const TextSink& sink) {
    parquet::WriterOptions options;
    options.created_by = program + version;
    parquet::ParquetWriter writer(columns_of(table), std::move(options), sink);
    std::vector<Value> row(table.columns.size());
    for (std::int64_t i = 0; i < table.rows; ++i) {
        const std::vector<Cell> cells = table.row(i);
        row.clear();
        for (const Cell& cell : cells) row.push_back(value_of(cell));
        writer.add_row(row);
    }
    writer.finish();
}

bool is_parquet_table(const std::string& path) {
    const std::string end = end_of(path);
    return end.ends_with("PAR1") && end.find(program) != std::string::npos;
}

}  // namespace tessera::io
