#include "docking/screen/partner_list.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <utility>

#include "core/error.hpp"
#include "docking/pairs/table_fields.hpp"
#include "io/files/file_name.hpp"
#include "io/text/counted.hpp"
#include "io/text/csv_table.hpp"
#include "io/text/one_line.hpp"

namespace tessera::docking {

namespace {

const std::array<std::string, 3> known_columns{"file", "name", "chains"};

class ListReader {
  public:
    explicit ListReader(const io::TextSource& source)
        : path_(source.path), rows_(io::parse_csv_table(source)) {}

    std::vector<ScreenPartner> read() {
        read_header();
        std::vector<ScreenPartner> partners;
        for (std::size_t r = 1; r < rows_.size(); ++r) {
            partners.push_back(read_row(rows_[r]));
            take_name(partners.back());
        }
        if (partners.empty())
            throw problem(rows_.front().line, "no rows follow the header",
                          "give one line for each protein");
        return partners;
    }

  private:
    Error problem(int line, const std::string& why, const std::string& what_to_do) {
        return Error("cannot use list '" + path_ + "'", "line " + std::to_string(line) + ": " + why,
                     what_to_do);
    }

    void read_header() {
        const io::CsvRow& header = rows_.front();
        for (std::size_t c = 0; c < header.fields.size(); ++c) {
            const std::string& name = header.fields[c];
            if (std::ranges::find(known_columns, name) == known_columns.end())
                throw problem(header.line, "unknown column '" + io::one_line(name) + "'",
                              "use file, name, chains");
            if (!columns_.emplace(name, c).second)
                throw problem(header.line, "column '" + name + "' appears twice", "remove one");
        }
        if (!columns_.contains("file"))
            throw problem(header.line, "there is no column 'file'",
                          "begin the list with a line such as name,file");
    }

    std::string field(const io::CsvRow& row, const char* name) const {
        const auto column = columns_.find(name);
        return column == columns_.end() ? "" : row.fields[column->second];
    }

    ScreenPartner read_row(const io::CsvRow& row) {
        if (row.fields.size() != columns_.size())
            throw problem(row.line,
                          io::counted(row.fields.size(), "field") + " instead of " +
                              std::to_string(columns_.size()),
                          "separate fields by commas, and quote fields that contain a comma");
        ScreenPartner partner{field(row, "name"), row.line, field(row, "file"),
                              chain_names(field(row, "chains"))};
        if (partner.path.empty())
            throw problem(row.line, "the file is missing", "give a file on each line");
        if (partner.name.empty()) partner.name = name_of_structure(partner.path);
        partner.path = path_beside(path_, partner.path);
        return partner;
    }

    std::string why_no_name(const std::string& name) const {
        if (std::string why = io::why_no_file_name(name); !why.empty()) return why;
        if (name.starts_with('_') || name.ends_with('_'))
            return "it begins or ends with an underscore";
        if (name.find(between_names) != std::string::npos) return "it contains two underscores";
        return name.front() == '#' ? "it begins with '#', which begins a comment" : "";
    }

    void take_name(const ScreenPartner& partner) {
        if (const std::string why = why_no_name(partner.name); !why.empty())
            throw problem(partner.line,
                          "'" + io::one_line(partner.name) + "' cannot be a name: " + why,
                          "use letters, digits, single _ and - in column name");
        const auto [former, is_new] =
            names_.emplace(io::without_capitals(partner.name), partner.line);
        if (!is_new)
            throw problem(partner.line,
                          "its name " + partner.name + " is also that of line " +
                              std::to_string(former->second) + " (capitals do not count)",
                          "give each protein its own name in column name");
    }

    std::string path_;
    std::vector<io::CsvRow> rows_;
    std::map<std::string, std::size_t> columns_;
    std::map<std::string, int> names_;  ///< line of each name; names are in lower case
};

}  // namespace

std::vector<ScreenPartner> parse_partner_list(const io::TextSource& source) {
    return ListReader(source).read();
}

std::vector<ScreenPartner> read_partner_list(const std::string& path) {
    return parse_partner_list(io::read_csv_text(path));
}

}  // namespace tessera::docking
