#include "docking/repacking/rotamer_library.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "docking/repacking/side_chain_geometry.hpp"
#include "io/files/data_files.hpp"
#include "io/text/csv_table.hpp"

namespace tessera::docking {

namespace {

constexpr std::size_t first_angle = 2;  // residue,share,chi1,deviation1,...

[[noreturn]] void refuse(const std::string& path, int line, const std::string& why) {
    throw Error("cannot read rotamers '" + path + "'", "line " + std::to_string(line) + ": " + why,
                "give a table as potentials/derive_rotamers writes it");
}

Rotamer rotamer_of(const io::CsvRow& row, const SideChainKind& kind, const std::string& path) {
    Rotamer rotamer;
    rotamer.share = io::csv_number(row, 1, path);
    if (!(rotamer.share > 0 && rotamer.share <= 1))
        refuse(path, row.line, "the share is not between 0 and 1");
    const std::size_t end = first_angle + 2 * static_cast<std::size_t>(kind.chis());
    for (std::size_t field = first_angle; field < end; field += 2) {
        rotamer.chis.push_back(io::csv_number(row, field, path));
        rotamer.deviations.push_back(io::csv_number(row, field + 1, path));
        if (!(rotamer.deviations.back() > 0)) refuse(path, row.line, "a deviation is not positive");
    }
    for (std::size_t field = end; field < row.fields.size(); ++field)
        if (!row.fields[field].empty())
            refuse(path, row.line, kind.residue + " has fewer chi angles");
    return rotamer;
}

}  // namespace

RotamerLibrary parse_rotamer_library(const io::TextSource& source) {
    const std::vector<io::CsvRow> rows = io::parse_csv_table(source);
    const std::size_t columns = first_angle + 2 * most_chis;
    if (rows.front().fields.size() != columns || rows.front().fields.front() != "residue")
        refuse(source.path, rows.front().line, "the header does not name ten columns");
    RotamerLibrary library;
    for (auto row = rows.begin() + 1; row != rows.end(); ++row) {
        if (row->fields.size() != columns)
            refuse(source.path, row->line, "it does not have ten fields");
        const SideChainKind* kind = side_chain_kind(row->fields.front());
        if (!kind)
            refuse(source.path, row->line,
                   "'" + row->fields.front() + "' is no amino acid with chi angles");
        library[kind->residue].push_back(rotamer_of(*row, *kind, source.path));
    }
    for (auto& [residue, rotamers] : library)
        std::ranges::stable_sort(rotamers, std::ranges::greater{}, &Rotamer::share);
    return library;
}

const RotamerLibrary& rotamer_library() {
    static const RotamerLibrary library =
        parse_rotamer_library(io::read_csv_text(io::data_file("potentials/rotamers.csv")));
    return library;
}

}  // namespace tessera::docking
