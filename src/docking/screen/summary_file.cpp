#include "docking/screen/summary_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>

#include "core/error.hpp"
#include "docking/screen/screen_table.hpp"
#include "io/files/whole_file.hpp"
#include "io/hdf5/output_path.hpp"
#include "io/parquet/table_file.hpp"
#include "io/text/csv_table.hpp"

namespace tessera::docking {

namespace {

using Kind = io::TableColumn::Kind;

constexpr std::array texts{"receptor", "ligand", "status", "reason", "warnings"};
constexpr std::array whole_numbers{"grid", "poses", "cluster_size", "rank"};
constexpr std::size_t always_there = 3;  ///< the first columns

bool is_one_of(const auto& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
}

std::vector<io::TableColumn> columns_of_summary() {
    const io::CsvRow header = io::parse_csv_table({"", screen_header(), "header"}).front();
    std::vector<io::TableColumn> columns;
    for (const std::string& name : header.fields) {
        const Kind kind = is_one_of(texts, name)           ? Kind::text
                          : is_one_of(whole_numbers, name) ? Kind::whole
                                                           : Kind::real;
        const bool is_length = name.starts_with("translation_");
        columns.push_back(
            {name, kind, is_length ? "angstrom" : "", columns.size() >= always_there});
    }
    return columns;
}

std::vector<io::Cell> cells_of(const std::vector<io::TableColumn>& columns,
                               const std::string& line) {
    const io::CsvRow row = io::parse_csv_table({"screen.csv", line, "line"}).front();
    if (row.fields.size() != columns.size())
        throw Error("cannot use a line of a screening", "it has too few or too many columns",
                    "give unchanged folders of tessera screen");
    std::vector<io::Cell> cells(columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (row.fields[i].empty()) continue;
        if (columns[i].kind == Kind::text)
            cells[i] = row.fields[i];
        else if (const double value = io::csv_number(row, i, "screen.csv");
                 columns[i].kind == Kind::real)
            cells[i] = value;
        else
            cells[i] = static_cast<std::int64_t>(std::llround(value));
    }
    return cells;
}

}  // namespace

void write_summary_file(const std::string& path, const std::string& scratch,
                        const std::string& version, const std::vector<std::string>& lines) {
    io::check_output_path(path, true, io::is_parquet_table);
    const std::vector<io::TableColumn> columns = columns_of_summary();
    const io::ValueTable table{columns, std::ssize(lines), [&](std::int64_t row) {
                                   return cells_of(columns, lines[static_cast<std::size_t>(row)]);
                               }};
    io::WholeFile file(scratch);
    io::write_parquet(table, version, [&](std::string_view bytes) { file.write(bytes); });
    file.sync();
    file.commit();
    if (const int failure = io::give_name(scratch, path, true))
        throw io::cannot_write_output(path, std::generic_category().message(failure),
                                      "check the disk", ExitCode::resources);
}

}  // namespace tessera::docking
