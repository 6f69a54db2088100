#include "docking/model/atom_table.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "io/files/data_files.hpp"
#include "io/text/counted.hpp"
#include "io/text/csv_table.hpp"

namespace tessera::docking {
namespace {

using Columns = std::vector<std::string>;

[[noreturn]] void refuse(const std::string& path, int line, const std::string& why) {
    throw Error("cannot read atom table '" + path + "'",
                "line " + std::to_string(line) + ": " + why, "correct this line");
}

// The position in the header of the column with this name or its other name.
std::size_t place_of(const std::string& name, const std::string& other, const io::CsvRow& header,
                     const std::string& path) {
    for (const std::string& wanted : {name, other}) {
        const auto found = std::find(header.fields.begin(), header.fields.end(), wanted);
        if (found != header.fields.end())
            return static_cast<std::size_t>(found - header.fields.begin());
    }
    refuse(path, header.line, "there is no column " + name);
}

// The rows after the header, reduced to `columns` in this order. The column `type` may be called
// `ace_type_name`, as in tables that have both the number and the name of the ACE type.
std::vector<io::CsvRow> rows_below(const Columns& columns, const io::TextSource& source) {
    const std::string& path = source.path;
    std::vector<io::CsvRow> rows = io::parse_csv_table(source);
    const io::CsvRow header = rows.front();
    rows.erase(rows.begin());
    std::vector<std::size_t> places;
    for (const std::string& column : columns)
        places.push_back(
            place_of(column, column == "type" ? "ace_type_name" : column, header, path));
    for (io::CsvRow& row : rows) {
        if (row.fields.size() != header.fields.size())
            refuse(path, row.line,
                   io::counted(row.fields.size(), "field") + " instead of " +
                       std::to_string(header.fields.size()));
        Columns fields;
        for (const std::size_t place : places) fields.push_back(row.fields[place]);
        row.fields = std::move(fields);
    }
    return rows;
}

}  // namespace

AtomTable::AtomTable(const std::string& path) {
    for (const io::CsvRow& row :
         rows_below({"residue", "atom", "type", "charge", "radius"}, io::read_csv_text(path))) {
        const AtomParameters parameters{row.fields[2], io::csv_number(row, 3, path),
                                        io::csv_number(row, 4, path)};
        if (!(parameters.radius > 0)) refuse(path, row.line, "the radius is not positive");
        if (!rows_.emplace(std::pair(row.fields[0], row.fields[1]), parameters).second)
            refuse(path, row.line, "a second row for " + row.fields[0] + " " + row.fields[1]);
    }
}

const AtomParameters* AtomTable::find(const std::string& residue, const std::string& atom) const {
    const auto row = rows_.find({residue, atom});
    return row == rows_.end() ? nullptr : &row->second;
}

const AtomParameters* AtomTable::find(const std::string& variant, const std::string& parent,
                                      const std::string& atom) const {
    if (const AtomParameters* row = find(variant, atom)) return row;
    if (const AtomParameters* row = find(parent, atom)) return row;
    return atom == "OXT" && find(parent, "O") ? find("CTER", "OXT") : nullptr;
}

const AtomTable& built_in_atom_table() {
    static const AtomTable table(io::data_file("atoms/charmm19_ace.csv"));
    return table;
}

AtomTypes::AtomTypes(const io::TextSource& source) {
    const std::string& path = source.path;
    for (const io::CsvRow& row : rows_below({"residue", "atom", "type"}, source)) {
        if (row.fields[2].empty()) refuse(path, row.line, "the type is empty");
        if (!rows_.emplace(std::pair(row.fields[0], row.fields[1]), row.fields[2]).second)
            refuse(path, row.line, "a second row for " + row.fields[0] + " " + row.fields[1]);
    }
}

const std::string* AtomTypes::row(const std::string& residue, const std::string& atom) const {
    const auto found = rows_.find({residue, atom});
    return found == rows_.end() ? nullptr : &found->second;
}

const std::string* AtomTypes::find(const std::string& variant, const std::string& parent,
                                   const std::string& atom) const {
    for (const auto& [residue, name] :
         {std::pair(variant, atom), std::pair(parent, atom), std::pair(std::string("*"), atom)})
        if (const std::string* type = row(residue, name)) return type;
    if (atom == "OXT") return find(variant, parent, "O");
    const std::string* type = row(parent, "*");
    return type ? type : row("*", "*");
}

}  // namespace tessera::docking
