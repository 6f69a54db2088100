#include "docking/restraints/restraint_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "core/error.hpp"
#include "docking/restraints/selection_parser.hpp"
#include "io/text/counted.hpp"
#include "io/text/csv_table.hpp"
#include "io/text/nearest_word.hpp"
#include "io/text/one_line.hpp"
#include "io/text/text_file.hpp"

namespace tessera::docking {

namespace {

/// The size limit allows thousands of ambiguous restraints.
constexpr io::InputKind restraint_input{
    "restraints", "give a HADDOCK table or a CSV table with the columns receptor,ligand,upper",
    std::size_t{16} << 20, "use fewer restraints"};

constexpr std::array<std::string_view, 7> known_columns{"receptor", "ligand",   "lower", "upper",
                                                        "group",    "required", "name"};
constexpr const char* header = "begin with a line such as group,receptor,ligand,lower,upper";

/// Reads the rows of a CSV table.
class TableReader {
  public:
    explicit TableReader(const io::TextSource& source)
        : path_(source.path), rows_(io::parse_csv_table(source)) {
        const io::CsvRow& names = rows_.front();
        for (std::size_t c = 0; c < names.fields.size(); ++c) {
            const std::string& name = names.fields[c];
            if (std::ranges::find(known_columns, name) == known_columns.end())
                fail(names, "unknown column '" + io::one_line(name, 40) + "'",
                     fmt::format("did you mean '{}'? Or begin with 'assign' for a HADDOCK table",
                                 io::nearest_word(name, known_columns)));
            if (!columns_.emplace(name, c).second)
                fail(names, "column '" + name + "' appears twice", "remove one");
        }
        for (const char* needed : {"receptor", "ligand", "upper"})
            if (!columns_.contains(needed))
                fail(names, std::string("there is no column '") + needed + "'", header);
    }

    RestraintFile read() {
        for (std::size_t r = 1; r < rows_.size(); ++r) read_row(rows_[r]);
        if (file_.restraints.empty())
            fail(rows_.front(), "no rows follow the header", "give one line for each restraint");
        return std::move(file_);
    }

  private:
    [[noreturn]] void fail(const io::CsvRow& row, const std::string& why,
                           const std::string& what_to_do) const {
        throw Error(fmt::format("cannot read restraints '{}:{}'", path_, row.line), why,
                    what_to_do);
    }

    std::string field(const io::CsvRow& row, const std::string& name) const {
        const auto column = columns_.find(name);
        return column == columns_.end() ? "" : row.fields[column->second];
    }

    void read_row(const io::CsvRow& row) {
        if (row.fields.size() != columns_.size())
            fail(row,
                 fmt::format("{} instead of {}", io::counted(row.fields.size(), "field"),
                             columns_.size()),
                 "separate fields by commas, and quote fields that contain a comma");
        RestraintLine restraint;
        restraint.where = fmt::format("{}:{}", path_, row.line);
        restraint.first = selection(row, "receptor");
        restraint.second = selection(row, "ligand");
        restraint.first_is_receptor = true;
        restraint.upper = io::csv_number(row, columns_.at("upper"), path_);
        if (!field(row, "lower").empty())
            restraint.lower = io::csv_number(row, columns_.at("lower"), path_);
        restraint.name = field(row, "name");
        if (restraint.name.empty()) restraint.name = std::to_string(file_.restraints.size() + 1);
        check_bounds(restraint);
        restraint.group = group_of(row, restraint.where);
        file_.restraints.push_back(std::move(restraint));
    }

    AtomSelection selection(const io::CsvRow& row, const std::string& column) const {
        const std::string text = field(row, column);
        SelectionWords words(text, path_, row.line);
        AtomSelection selection = parse_selection(words, SegidMeaning::chain);
        if (!words.at_end())
            fail(row,
                 fmt::format("'{}' in column '{}' does not belong to the selection",
                             io::one_line(words.peek(), 40), column),
                 "put 'and' or 'or' between conditions");
        return selection;
    }

    std::size_t group_of(const io::CsvRow& row, const std::string& where) {
        std::string name = field(row, "group");
        if (name.empty()) name = std::filesystem::path(path_).stem().string();
        const std::string text = field(row, "required");
        const auto required = parse_required_share(text);
        if (!required)
            fail(row,
                 fmt::format("'{}' in column 'required' is not {}", io::one_line(text, 40),
                             required_share_range),
                 "write how many restraints of the group a pose must satisfy: 3 or 50%");
        const auto [place, is_new] = groups_.emplace(name, file_.groups.size());
        if (is_new) file_.groups.push_back({io::one_line(name), {}, where});
        GroupLine& group = file_.groups[place->second];
        if (required->is_given() && group.required.is_given() &&
            (group.required.number != required->number ||
             group.required.percent != required->percent))
            fail(row, "group '" + group.name + "' has two values in column 'required'",
                 "give the same value in all rows of the group, or in its first row only");
        if (required->is_given()) group.required = *required;
        return place->second;
    }

    std::string path_;
    std::vector<io::CsvRow> rows_;
    std::map<std::string, std::size_t> columns_, groups_;
    RestraintFile file_;
};

}  // namespace

void check_bounds(const RestraintLine& restraint) {
    if (!(restraint.upper > 0 && restraint.upper <= 1000))
        throw Error("cannot read restraints '" + restraint.where + "'",
                    fmt::format("its upper bound is {:g} A", restraint.upper),
                    "give a distance above 0 and up to 1000 A");
    if (!(restraint.lower >= 0 && restraint.lower <= restraint.upper))
        throw Error("cannot read restraints '" + restraint.where + "'",
                    fmt::format("its bounds are {:g} and {:g} A", restraint.lower, restraint.upper),
                    "give a lower bound from 0 to the upper bound");
}

RestraintFile parse_restraint_file(const io::TextSource& source) {
    if (is_haddock_table(source)) return parse_haddock_table(source);
    RestraintFile file = TableReader(source).read();
    file.path = source.path;
    file.sha256 = source.sha256;
    return file;
}

RestraintFile read_restraint_file(const std::string& path) {
    return parse_restraint_file(io::read_text_file(path, restraint_input));
}

}  // namespace tessera::docking
