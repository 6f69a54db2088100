#include "io/text/value_table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "io/text/csv_table.hpp"

namespace tessera::io {

namespace {

using Json = nlohmann::json;

std::string json_text(const Json& value) {
    return value.dump(-1, ' ', true, Json::error_handler_t::replace);
}

/// Adds all digits of a finite number, with a decimal point or an exponent.
void add_real(std::string& text, double value) {
    const std::size_t start = text.size();
    fmt::format_to(std::back_inserter(text), "{}", value);
    if (text.find_first_not_of("-0123456789", start) == std::string::npos) text += ".0";
}

void add_json(std::string& text, const Cell& cell) {
    if (const auto* word = std::get_if<std::string>(&cell))
        text += json_text(*word);
    else if (const auto* whole = std::get_if<std::int64_t>(&cell))
        fmt::format_to(std::back_inserter(text), "{}", *whole);
    else if (const auto* real = std::get_if<double>(&cell); real && std::isfinite(*real))
        add_real(text, *real);
    else
        text += "null";
}

void add_csv(std::string& text, const Cell& cell) {
    const auto* real = std::get_if<double>(&cell);
    if (const auto* word = std::get_if<std::string>(&cell))
        text += csv_field(*word);
    else if (real && !std::isfinite(*real))
        text += std::isnan(*real) ? "" : *real > 0 ? "inf" : "-inf";
    else if (!std::holds_alternative<std::monostate>(cell))
        add_json(text, cell);
}

/// Hands text on that has become large, or all of it at the end.
void hand_on(std::string& text, const TextSink& sink, bool all = false) {
    constexpr std::size_t large = std::size_t{1} << 16;
    if (text.size() < large && !all) return;
    sink(text);
    text.clear();
}

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
    std::vector<std::string> names;
    names.reserve(table.columns.size());
    for (const TableColumn& column : table.columns) names.push_back(column.name);
    std::string text = csv_beginning(names) + "\n";
    for (std::int64_t i = 0; i < table.rows; ++i) {
        const std::vector<Cell> cells = table.row(i);
        for (std::size_t c = 0; c < cells.size(); ++c) {
            if (c) text += ',';
            add_csv(text, cells[c]);
        }
        text += '\n';
        hand_on(text, sink);
    }
    hand_on(text, sink, true);
}

void write_json(const ValueTable& table, const TextSink& sink) {
    std::vector<std::string> keys;
    keys.reserve(table.columns.size());
    for (const TableColumn& column : table.columns) keys.push_back(json_text(column.name) + ": ");
    std::string text = "[";
    for (std::int64_t i = 0; i < table.rows; ++i) {
        text += i ? ",\n{" : "\n{";
        const std::vector<Cell> cells = table.row(i);
        for (std::size_t c = 0; c < cells.size(); ++c) {
            text += (c ? ", " : "") + keys[c];
            add_json(text, cells[c]);
        }
        text += '}';
        hand_on(text, sink);
    }
    text += "\n]\n";
    hand_on(text, sink, true);
}

}  // namespace tessera::io
