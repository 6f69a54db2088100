#include "likelihood/fit/number_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "io/hdf5/result_values.hpp"

namespace tessera::likelihood {

namespace {

constexpr const char* group_name = "stream_numbers";

template <class Value>
auto column(const std::vector<NumberRow>& rows, Value NumberRow::*value) {
    std::vector<Value> values;
    for (const NumberRow& row : rows) values.push_back(row.*value);
    return values;
}

}  // namespace

double information_criterion(double likelihood, std::size_t stars, std::size_t parameters) {
    const auto n = static_cast<double>(stars);
    return static_cast<double>(parameters) * std::log(n) - 2 * n * std::numbers::ln10 * likelihood;
}

void write_numbers(io::h5::Group& fit, const std::vector<NumberRow>& rows) {
    if (rows.empty()) return;
    io::h5::Group group = fit.group(group_name);
    std::vector<std::int64_t> chosen;
    for (const NumberRow& row : rows) chosen.push_back(row.chosen);
    group.write("wedge", column(rows, &NumberRow::wedge));
    group.write("streams", column(rows, &NumberRow::streams));
    group.write("parameters", column(rows, &NumberRow::parameters));
    group.write("likelihood", column(rows, &NumberRow::likelihood));
    group.write("bic", column(rows, &NumberRow::bic));
    group.write("chosen", chosen);
    if (by_held_out(rows)) group.write("held_out", column(rows, &NumberRow::held_out));
}

bool by_held_out(const std::vector<NumberRow>& rows) {
    return std::ranges::any_of(rows,
                               [](const NumberRow& row) { return !std::isnan(row.held_out); });
}

std::vector<NumberRow> read_numbers(const io::h5::Group& fit, std::int64_t wedges) {
    if (!fit.contains(group_name)) return {};
    const io::h5::Group group = fit.open_group(group_name);
    const std::uint64_t count = io::length_of(group, "wedge");
    constexpr std::int64_t most = 1'000'000'000;
    const auto whole = [&](const char* name, std::int64_t least, std::int64_t greatest) {
        return io::read_within<std::int64_t>(group, name, {count}, least, greatest);
    };
    const auto wedge = whole("wedge", 1, wedges), streams = whole("streams", 0, most),
               parameters = whole("parameters", 0, most);
    const auto likelihood = io::read_finite(group, "likelihood", {count});
    const auto bic = io::read_finite(group, "bic", {count});
    const auto chosen = whole("chosen", 0, 1);
    std::vector<NumberRow> rows;
    for (std::size_t i = 0; i < count; ++i)
        rows.push_back(
            {wedge[i], streams[i], parameters[i], likelihood[i], bic[i], chosen[i] != 0});
    if (!group.contains("held_out")) return rows;
    const auto held_out = io::read_shaped<double>(group, "held_out", {count});
    for (std::size_t i = 0; i < count; ++i) rows[i].held_out = held_out[i];
    return rows;
}

std::string numbers_text(const std::vector<NumberRow>& rows) {
    if (rows.empty()) return "";
    const bool held_out = by_held_out(rows);
    std::string text = fmt::format("The numbers of streams that each wedge prefers, by the {}:\n"
                                   "  {:>5} {:>7} {:>10} {:>20} {:>16}{}\n",
                                   held_out ? "highest likelihood of held-out stars" : "lowest BIC",
                                   "wedge", "streams", "parameters", "search_likelihood", "BIC",
                                   held_out ? fmt::format(" {:>20}", "held_out_likelihood") : "");
    for (const NumberRow& row : rows)
        text += fmt::format("  {:>5} {:>7} {:>10} {:>20.12g} {:>16.2f}{}{}\n", row.wedge,
                            row.streams, row.parameters, row.likelihood, row.bic,
                            held_out ? fmt::format(" {:>20.12g}", row.held_out) : "",
                            row.chosen ? " chosen" : "");
    return text;
}

}  // namespace tessera::likelihood
