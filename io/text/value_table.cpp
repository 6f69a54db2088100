#include "io/text/value_table.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

#include "io/text/csv_table.hpp"

namespace tessera::io {

namespace {

using Json = nlohmann::json;

std::string json_text(const Json& value) {
    return value.dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string json_cell(const Cell& cell) {
    return std::visit(
        [](const auto& value) {
            if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>)
                return std::string("null");
            else
                return json_text(value);
        },
        cell);
}

std::string csv_cell(const Cell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell)) return csv_field(*text);
    if (const auto* real = std::get_if<double>(&cell); real && !std::isfinite(*real))
        return std::isnan(*real) ? "" : *real > 0 ? "inf" : "-inf";
    return std::holds_alternative<std::monostate>(cell) ? "" : json_cell(cell);
}

/// Collects text and hands it on in large pieces.
class Pieces {
  public:
    explicit Pieces(const TextSink& sink) : sink_(sink) {}
    void add(std::string_view text) {
        piece_ += text;
        constexpr std::size_t large = std::size_t{1} << 16;
        if (piece_.size() >= large) flush();
    }
    void flush() {
        sink_(piece_);
        piece_.clear();
    }

  private:
    const TextSink& sink_;
    std::string piece_;
};

}  // namespace

std::string csv_beginning(const std::vector<std::string>& columns) {
    std::string line;
    for (const std::string& column : columns) line += (line.empty() ? "" : ",") + csv_field(column);
    return line;
}

std::string json_beginning(const std::string& first_column) {
    return "[\n{" + json_text(first_column) + ": ";
}

void write_csv(const ValueTable& table, const TextSink& sink) {
    Pieces pieces(sink);
    std::vector<std::string> names;
    names.reserve(table.columns.size());
    for (const TableColumn& column : table.columns) names.push_back(column.name);
    pieces.add(csv_beginning(names) + "\n");
    for (std::int64_t i = 0; i < table.rows; ++i) {
        std::string line;
        const std::vector<Cell> cells = table.row(i);
        for (std::size_t c = 0; c < cells.size(); ++c) line += (c ? "," : "") + csv_cell(cells[c]);
        pieces.add(line + "\n");
    }
    pieces.flush();
}

void write_json(const ValueTable& table, const TextSink& sink) {
    std::vector<std::string> keys;
    keys.reserve(table.columns.size());
    for (const TableColumn& column : table.columns) keys.push_back(json_text(column.name) + ": ");
    Pieces pieces(sink);
    pieces.add("[");
    for (std::int64_t i = 0; i < table.rows; ++i) {
        std::string line = i ? ",\n{" : "\n{";
        const std::vector<Cell> cells = table.row(i);
        for (std::size_t c = 0; c < cells.size(); ++c)
            line += (c ? ", " : "") + keys[c] + json_cell(cells[c]);
        pieces.add(line + "}");
    }
    pieces.add("\n]\n");
    pieces.flush();
}

}  // namespace tessera::io
