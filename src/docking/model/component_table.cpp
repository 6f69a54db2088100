#include "docking/model/component_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "io/files/data_files.hpp"
#include "io/text/csv_table.hpp"

namespace tessera::docking {

namespace {

constexpr std::array<std::pair<std::string_view, ComponentKind>, 6> kinds = {
    {{"ion", ComponentKind::ion},
     {"cofactor", ComponentKind::cofactor},
     {"sugar", ComponentKind::sugar},
     {"salt", ComponentKind::salt},
     {"additive", ComponentKind::additive},
     {"water", ComponentKind::water}}};

constexpr std::array<std::string_view, 55> metals{
    "LI", "BE", "NA", "MG", "AL", "K",  "CA", "SC", "TI", "V",  "CR", "MN", "FE", "CO",
    "NI", "CU", "ZN", "GA", "RB", "SR", "Y",  "ZR", "NB", "MO", "RU", "RH", "PD", "AG",
    "CD", "IN", "SN", "SB", "CS", "BA", "LA", "CE", "PR", "ND", "SM", "EU", "GD", "TB",
    "DY", "HO", "ER", "YB", "LU", "W",  "OS", "IR", "PT", "AU", "HG", "TL", "PB"};

[[noreturn]] void refuse(const io::TextSource& source, int line, const std::string& why) {
    throw Error("cannot read table of components '" + source.path + "'",
                "line " + std::to_string(line) + ": " + why, "correct this line");
}

std::size_t place_of(const char* column, const io::CsvRow& header, const io::TextSource& source) {
    const auto found = std::ranges::find(header.fields, column);
    if (found == header.fields.end())
        refuse(source, header.line, std::string("there is no column ") + column);
    return static_cast<std::size_t>(found - header.fields.begin());
}

int whole_charge(double value, const io::CsvRow& row, const io::TextSource& source) {
    if (value < -20 || value > 20 || value != std::floor(value))
        refuse(source, row.line, "the charge is not a small whole number");
    return static_cast<int>(value);
}

}  // namespace

ComponentTable parse_components(const io::TextSource& source) {
    const std::vector<io::CsvRow> rows = io::parse_csv_table(source);
    const std::size_t residue = place_of("residue", rows.front(), source);
    const std::size_t kind = place_of("kind", rows.front(), source);
    const std::size_t charge = place_of("charge", rows.front(), source);
    ComponentTable table;
    for (auto row = rows.begin() + 1; row != rows.end(); ++row) {
        if (row->fields.size() != rows.front().fields.size())
            refuse(source, row->line, "it has another number of fields than the header");
        const auto known = std::ranges::find(kinds, std::string_view(row->fields[kind]),
                                             &std::pair<std::string_view, ComponentKind>::first);
        if (known == kinds.end())
            refuse(source, row->line, "unknown kind '" + row->fields[kind] + "'");
        Component component{known->second, {}};
        if (!row->fields[charge].empty())
            component.charge =
                whole_charge(io::csv_number(*row, charge, source.path), *row, source);
        if (!table.emplace(row->fields[residue], component).second)
            refuse(source, row->line, "a second row for " + row->fields[residue]);
    }
    return table;
}

const ComponentTable& built_in_components() {
    static const ComponentTable table =
        parse_components(io::read_csv_text(io::data_file("chemistry/components.csv")));
    return table;
}

const AtomTable& built_in_component_atoms() {
    static const AtomTable table(io::data_file("chemistry/atoms.csv"));
    return table;
}

const char* name_of(ComponentKind kind) {
    return std::ranges::find(kinds, kind, &std::pair<std::string_view, ComponentKind>::second)
        ->first.data();
}

bool is_metal(const std::string& element) {
    return std::ranges::count(metals, std::string_view(element)) > 0;
}

}  // namespace tessera::docking
